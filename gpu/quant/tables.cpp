// SPDX-License-Identifier: MIT
#include "gpu/quant/tables.h"

#include "core/quant/grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wb::gpu {
namespace {

struct GridShape {
    unsigned bits;   // of a digit
    unsigned levels; // values a digit takes
};
constexpr GridShape iq2{2, 3}, iq3{3, 8};

bool occurs(unsigned code, unsigned digits, const GridShape& shape) {
    for (unsigned i = 0; i < digits; ++i)
        if ((code >> (shape.bits * i) & ((1u << shape.bits) - 1)) >= shape.levels) return false;
    return true;
}

std::vector<std::uint32_t> pack(const quant::Grid& grid, const GridShape& shape) {
    const unsigned codes = 1u << (grid.digits() * shape.bits);
    std::vector<std::uint32_t> map(codes), points, lists;
    for (unsigned code = 0; code < codes; ++code) {
        const int point = grid.pointOf(code);
        map[code] = static_cast<std::uint32_t>(point);
        if (point >= 0) {
            points.resize(std::max<std::size_t>(points.size(), static_cast<std::size_t>(point) + 1));
            points[static_cast<std::size_t>(point)] = code;
        } else if (occurs(code, grid.digits(), shape)) {
            const auto neighbours = grid.neighbours(code);
            map[code] = static_cast<std::uint32_t>(-1 - static_cast<std::int32_t>(lists.size()));
            lists.push_back(static_cast<std::uint32_t>(neighbours.size()));
            lists.insert(lists.end(), neighbours.begin(), neighbours.end());
        }
    }
    std::vector<std::uint32_t> words = {codes, static_cast<std::uint32_t>(points.size())};
    for (const auto* part : {&map, &points, &lists}) words.insert(words.end(), part->begin(), part->end());
    return words;
}

bool reachesNext(std::uint32_t bits, int next) {
    const double exact = std::log2(static_cast<double>(std::bit_cast<float>(bits)));
    return static_cast<float>(exact) >= static_cast<float>(next);
}

std::uint32_t firstBits(int exponent) {
    return exponent >= -126 ? static_cast<std::uint32_t>(exponent + 127) << 23 : 1u << (exponent + 149);
}

// Bisection in the binade: the rounded logarithm never falls.
std::uint32_t leastThatReaches(int exponent) {
    std::uint32_t low = firstBits(exponent), high = firstBits(exponent + 1); // `high` lies in the next binade
    const std::uint32_t end = high;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (reachesNext(middle, exponent + 1)) high = middle;
        else low = middle + 1;
    }
    return low < end ? low : 0xFFFFFFFFu;
}

} // namespace

std::vector<std::uint32_t> logarithmTable() {
    std::vector<std::uint32_t> table;
    for (int exponent = -149; exponent <= 127; ++exponent) table.push_back(leastThatReaches(exponent));
    return table;
}

std::vector<std::uint32_t> gridTableIq2Xxs() { return pack(quant::gridIq2Xxs(), iq2); }
std::vector<std::uint32_t> gridTableIq2Xs() { return pack(quant::gridIq2Xs(), iq2); }
std::vector<std::uint32_t> gridTableIq2S() { return pack(quant::gridIq2S(), iq2); }
std::vector<std::uint32_t> gridTableIq3Xxs() { return pack(quant::gridIq3Xxs(), iq3); }
std::vector<std::uint32_t> gridTableIq3S() { return pack(quant::gridIq3S(), iq3); }
std::vector<std::uint32_t> gridTableIq1() { return pack(quant::gridIq1(), iq2); }

} // namespace wb::gpu

// SPDX-License-Identifier: MIT
#include "gpu/quant/tables.h"

#include "core/quant/kernels/grid.h"
#include "core/quant/kernels/near_lists.h"

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

constexpr std::uint32_t isPoint = 0x80000000u;

// Adds a list, two codes a word, and gives the word that tells where it is.
std::uint32_t append(std::span<const std::uint16_t> codes, std::vector<std::uint32_t>& words) {
    const std::size_t first = words.size();
    for (std::size_t i = 0; i < codes.size(); i += 2)
        words.push_back(codes[i] | static_cast<std::uint32_t>(codes[std::min(i + 1, codes.size() - 1)]) << 16);
    return static_cast<std::uint32_t>(first << 8 | (words.size() - first));
}

std::vector<std::uint32_t> pack(const quant::Grid& grid, const GridShape& shape) {
    const unsigned codes = 1u << (grid.digits() * shape.bits);
    const quant::NearLists near(grid, shape.bits, 1);
    std::vector<std::uint32_t> words(2 * std::size_t{codes});
    std::vector<std::uint16_t> all;
    for (unsigned code = 0; code < codes; ++code) {
        const int point = grid.pointOf(code);
        if (point >= 0) {
            words[code] = words[codes + code] = isPoint | static_cast<std::uint32_t>(point);
        } else if (occurs(code, grid.digits(), shape)) {
            all.clear();
            for (const std::uint16_t neighbor : grid.neighbors(code))
                all.push_back(static_cast<std::uint16_t>(grid.codeOf(neighbor)));
            words[code] = append(near.of(code), words);
            words[codes + code] = append(all, words);
        }
    }
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
std::uint32_t minReaching(int exponent) {
    std::uint32_t low = firstBits(exponent), high = firstBits(exponent + 1); // `high` is in the next binade
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
    for (int exponent = -149; exponent <= 127; ++exponent) table.push_back(minReaching(exponent));
    return table;
}

std::vector<std::uint32_t> gridTableIq2Xxs() { return pack(quant::gridIq2Xxs(), iq2); }
std::vector<std::uint32_t> gridTableIq2Xs() { return pack(quant::gridIq2Xs(), iq2); }
std::vector<std::uint32_t> gridTableIq2S() { return pack(quant::gridIq2S(), iq2); }
std::vector<std::uint32_t> gridTableIq3Xxs() { return pack(quant::gridIq3Xxs(), iq3); }
std::vector<std::uint32_t> gridTableIq3S() { return pack(quant::gridIq3S(), iq3); }
std::vector<std::uint32_t> gridTableIq1() { return pack(quant::gridIq1(), iq2); }

} // namespace wb::gpu

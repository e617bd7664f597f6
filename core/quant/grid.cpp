// SPDX-License-Identifier: MIT
#include "core/quant/grid.h"

#include "core/tensor/tables.h"

#include <algorithm>

namespace wb::quant {
namespace {

unsigned squaredDistance(const std::uint8_t* a, const std::uint8_t* b, unsigned digits) {
    unsigned sum = 0;
    for (unsigned i = 0; i < digits; ++i) {
        const int difference = 2 * (static_cast<int>(a[i]) - static_cast<int>(b[i]));
        sum += static_cast<unsigned>(difference * difference);
    }
    return sum;
}

std::vector<std::uint8_t> unpack(unsigned code, unsigned digits, unsigned bits) {
    std::vector<std::uint8_t> out(digits);
    for (unsigned i = 0; i < digits; ++i) out[i] = static_cast<std::uint8_t>(code >> (bits * i) & ((1u << bits) - 1));
    return out;
}

} // namespace

Grid::Grid(std::span<const std::uint16_t> codes, unsigned digits, unsigned bits, unsigned levels, unsigned shells)
    : m_digits(digits), m_map(std::size_t{1} << (digits * bits), -1) {
    for (std::size_t p = 0; p < codes.size(); ++p) {
        std::ranges::copy(unpack(codes[p], digits, bits), std::back_inserter(m_points));
        m_map[codes[p]] = static_cast<std::int32_t>(p);
    }
    for (unsigned code = 0; code < m_map.size(); ++code) {
        const auto digitsOfCode = unpack(code, digits, bits);
        const bool occurs = std::ranges::all_of(digitsOfCode, [levels](std::uint8_t digit) { return digit < levels; });
        if (occurs && m_map[code] < 0) addNeighbours(code, bits, shells);
    }
}

void Grid::addNeighbours(unsigned code, unsigned bits, unsigned shells) {
    const auto own = unpack(code, m_digits, bits);
    const auto points = static_cast<unsigned>(m_points.size() / m_digits);
    std::vector<std::uint32_t> order(points); // distance in the upper half, index in the lower
    for (unsigned p = 0; p < points; ++p) order[p] = squaredDistance(own.data(), point(p), m_digits) << 16 | p;
    std::ranges::sort(order);
    unsigned seen = 1;
    std::size_t count = 1;
    while (count < order.size() && (seen += order[count] >> 16 != order[count - 1] >> 16) <= shells) ++count;
    m_map[code] = -1 - static_cast<std::int32_t>(m_lists.size());
    m_lists.push_back(static_cast<std::uint16_t>(count));
    for (std::size_t i = 0; i < count; ++i) m_lists.push_back(static_cast<std::uint16_t>(order[i] & 0xFFFF));
}

std::span<const std::uint16_t> Grid::neighbours(unsigned code) const {
    const auto start = static_cast<std::size_t>(-1 - m_map[code]);
    return std::span(m_lists).subspan(start + 1, m_lists[start]);
}

const Grid& gridIq2Xxs() {
    static const Grid grid(tables::grid_iq2_xxs, 8, 2, 3, 2);
    return grid;
}
const Grid& gridIq2Xs() {
    static const Grid grid(tables::grid_iq2_xs, 8, 2, 3, 2);
    return grid;
}
const Grid& gridIq2S() {
    static const Grid grid(tables::grid_iq2_s, 8, 2, 3, 1);
    return grid;
}
const Grid& gridIq3Xxs() {
    static const Grid grid(tables::grid_iq3_xxs, 4, 3, 8, 2);
    return grid;
}
const Grid& gridIq3S() {
    static const Grid grid(tables::grid_iq3_s, 4, 3, 8, 3);
    return grid;
}
const Grid& gridIq1() {
    static const Grid grid(tables::grid_iq1, 8, 2, 3, 3);
    return grid;
}

} // namespace wb::quant

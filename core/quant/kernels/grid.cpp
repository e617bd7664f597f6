// SPDX-License-Identifier: MIT
#include "core/quant/kernels/grid.h"

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

std::size_t paddedLength(std::size_t count) { return (count + 15) / 16 * 16; }

std::vector<std::uint8_t> unpack(unsigned code, unsigned digits, unsigned bits) {
    std::vector<std::uint8_t> out(digits);
    for (unsigned i = 0; i < digits; ++i) out[i] = static_cast<std::uint8_t>(code >> (bits * i) & ((1u << bits) - 1));
    return out;
}

} // namespace

Grid::Grid(std::span<const std::uint16_t> codes, unsigned digits, unsigned bits, unsigned levels, unsigned shells)
    : m_digits(digits), m_codes(codes.begin(), codes.end()), m_map(std::size_t{1} << (digits * bits), -1),
      m_codeStarts(m_map.size() + 1) {
    for (std::size_t p = 0; p < codes.size(); ++p) {
        std::ranges::copy(unpack(codes[p], digits, bits), std::back_inserter(m_points));
        m_map[codes[p]] = static_cast<std::int32_t>(p);
    }
    for (unsigned code = 0; code < m_map.size(); ++code) {
        const auto digitsOfCode = unpack(code, digits, bits);
        const bool occurs = std::ranges::all_of(digitsOfCode, [levels](std::uint8_t digit) { return digit < levels; });
        if (occurs && m_map[code] < 0) addNeighbors(code, bits, shells);
        m_codeStarts[code + 1] = static_cast<std::uint32_t>(m_codeLists.size());
    }
}

void Grid::addNeighbors(unsigned code, unsigned bits, unsigned shells) {
    const auto own = unpack(code, m_digits, bits);
    const auto points = static_cast<unsigned>(m_points.size() / m_digits);
    std::vector<std::uint16_t> distances(points);
    std::vector<unsigned> shell; // distances that occur, each once
    for (unsigned p = 0; p < points; ++p) {
        distances[p] = static_cast<std::uint16_t>(squaredDistance(own.data(), point(p), m_digits));
        if (std::ranges::find(shell, distances[p]) == shell.end()) shell.push_back(distances[p]);
    }
    std::ranges::sort(shell);
    shell.resize(std::min<std::size_t>(shell.size(), shells));
    std::vector<std::uint16_t> order;
    for (const unsigned distance : shell)
        for (unsigned p = 0; p < points; ++p)
            if (distances[p] == distance) order.push_back(static_cast<std::uint16_t>(p));
    const std::size_t count = order.size();
    m_map[code] = -1 - static_cast<std::int32_t>(m_lists.size());
    m_lists.push_back(static_cast<std::uint16_t>(count));
    m_lists.insert(m_lists.end(), order.begin(), order.end());
    for (std::size_t i = 0; i < paddedLength(count); ++i) m_codeLists.push_back(m_codes[order[std::min(i, count - 1)]]);
}

std::span<const std::uint16_t> Grid::neighbors(unsigned code) const {
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

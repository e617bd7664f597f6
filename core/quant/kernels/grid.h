// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wb::quant {

// A set of lattice points with, for every code outside the set, the points that are candidates in its place
// (docs/reference/gguf.md, "Lattice types" and "Grid tables"). A code packs the digits of a point, the lowest digit being element
// 0.
class Grid {
public:
    // `digits` digits of `bits` bits each, of which the values 0 … levels-1 occur; neighbors are the points within the first
    // `shells` distinct distances, ordered by distance and then index.
    Grid(std::span<const std::uint16_t> codes, unsigned digits, unsigned bits, unsigned levels, unsigned shells);

    unsigned digits() const { return m_digits; }

    // Digit `i` of point `point`.
    unsigned digit(unsigned point, unsigned i) const { return m_points[point * m_digits + i]; }
    const std::uint8_t* point(unsigned point) const { return m_points.data() + point * m_digits; }

    // The index of the point with this code, or -1 where it is not in the set.
    int pointOf(unsigned code) const { return m_map[code] >= 0 ? m_map[code] : -1; }

    // Candidates for a code outside the set.
    std::span<const std::uint16_t> neighbors(unsigned code) const;

    // The codes of the same candidates in the same order. The last is repeated until their number is a multiple of 16.
    std::span<const std::uint16_t> neighborCodes(unsigned code) const {
        return {m_codeLists.data() + m_codeStarts[code], m_codeStarts[code + 1] - m_codeStarts[code]};
    }

    // The code of a point.
    unsigned codeOf(unsigned point) const { return m_codes[point]; }

private:
    void addNeighbors(unsigned code, unsigned bits, unsigned shells);

    unsigned m_digits;
    std::vector<std::uint16_t> m_codes;
    std::vector<std::uint8_t> m_points;      // digits, point after point
    std::vector<std::int32_t> m_map;         // by code: a point, or -1 - (start of its list in m_lists)
    std::vector<std::uint16_t> m_lists;      // length, then points
    std::vector<std::uint32_t> m_codeStarts; // by code: where its list in m_codeLists starts; the next code's start ends it
    std::vector<std::uint16_t> m_codeLists;
};

// The grids, built when they are first asked for. Thread-safe.
const Grid& gridIq2Xxs();
const Grid& gridIq2Xs();
const Grid& gridIq2S();
const Grid& gridIq3Xxs();
const Grid& gridIq3S();
const Grid& gridIq1();

} // namespace wb::quant

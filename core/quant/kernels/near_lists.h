// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/kernels/grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wb::quant {

// The candidates of a grid's codes that can be nearest at all. A code is what values round to, digit by digit, so that each value
// is within half a step of its digit, or outside the first or last one. A candidate whose every digit equals another's or is
// further from the code's is then never nearer than that other, whatever the weights, and comes later in the list: it need not be
// looked at. This holds unless a value is so close to the middle between two digits that rounding decides; then the full list
// counts.
class NearLists {
public:
    // Lists are padded with their last candidate to a multiple of `padding`, a power of two.
    NearLists(const Grid& grid, unsigned bits, std::size_t padding);

    // No list of a grid of IQ2 has more codes before its padding, and none of a grid of IQ3.
    static constexpr std::size_t maxOfIq2 = 137, maxOfIq3 = 21;

    // The list of a code starts at its `start` with `count` codes before its padding.
    struct List {
        std::uint32_t start : 22;
        std::uint32_t count : 9;
        std::uint32_t isPoint : 1; // the code is a point, and all its list
    };

    // `code` has digits that occur.
    List list(unsigned code) const { return m_lists[code]; }

    // The candidates of a list, without its padding, which can be read too.
    std::span<const std::uint16_t> candidates(List list) const { return {m_codes.data() + list.start, list.count}; }

    // Codes of candidates in the grid's order, padding included; of a point, the point itself.
    std::span<const std::uint16_t> of(unsigned code) const {
        const List found = m_lists[code];
        return {m_codes.data() + found.start, (found.count + m_padding - 1) & ~(m_padding - 1)};
    }

private:
    void add(const Grid& grid, unsigned code, unsigned bits);

    std::size_t m_padding;
    std::vector<List> m_lists;
    std::vector<std::uint16_t> m_codes;
};

} // namespace wb::quant

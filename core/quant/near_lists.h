// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wb::quant {

// The candidates of a grid's codes that can be nearest at all. A code is what values round to, digit by digit, so that each value lies
// within half a step of its digit, or beyond the first or last one. A candidate whose every digit equals another's or is further from
// any such value is then never nearer than that other, whatever the weights, and comes later in the list: it need not be looked at.
// This holds unless a value lies so close to the middle between two digits that rounding decides; then the full list counts. Sided
// lists know which side of its digit each value lies on, which leaves still fewer; where that is close, the full list counts as well.
class NearLists {
public:
    enum class Sides { Unknown, Known };

    // Lists are padded with their last candidate to a multiple of `padding`, a power of two.
    NearLists(const Grid& grid, unsigned bits, std::size_t padding, Sides sides);

    // The list of a place starts at codes()[start] with `count` codes before its padding, up to a few hundred.
    struct List {
        std::uint32_t start : 22;
        std::uint32_t count : 9;
        std::uint32_t isPoint : 1; // the code is a point, and all its list
    };

    // `place` is a code with digits that occur; in sided lists code · 2^digits plus bit i where value i lies above digit i.
    List list(unsigned place) const { return m_lists[place]; }
    const std::uint16_t* codes() const { return m_codes.data(); }

    // Codes of candidates in the grid's order, padding included; of a point, the point itself.
    std::span<const std::uint16_t> of(unsigned place) const {
        const List found = m_lists[place];
        return {m_codes.data() + found.start, (found.count + m_padding - 1) & ~(m_padding - 1)};
    }

private:
    std::size_t m_padding;
    std::vector<List> m_lists;
    std::vector<std::uint16_t> m_codes;
};

} // namespace wb::quant

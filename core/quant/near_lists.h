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

    // Codes of candidates in the grid's order; of a point, the point itself. `place` is a code with digits that occur; in sided lists
    // code · 2^digits plus bit i where value i lies above digit i.
    std::span<const std::uint16_t> of(unsigned place) const {
        const std::uint32_t list = m_lists[place];
        return {m_codes.data() + (list >> startShift), (list & lengthMask) >> 1};
    }

    // The same as one array of codes, and a word for each place: where its list starts, above startShift; below it twice the length,
    // and 1 more where the place's code is a point.
    static constexpr unsigned startShift = 10;
    static constexpr std::uint32_t lengthMask = (1u << startShift) - 1;
    const std::uint16_t* codes() const { return m_codes.data(); }
    const std::uint32_t* lists() const { return m_lists.data(); }

private:
    std::vector<std::uint32_t> m_lists;
    std::vector<std::uint16_t> m_codes;
};

} // namespace wb::quant

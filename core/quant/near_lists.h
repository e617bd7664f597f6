// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wb::quant {

// The candidates of a grid's codes that can be nearest at all. A code is what values round to, digit by digit, so that each value lies
// within half a step of its digit, or beyond the first or last one. A candidate whose every digit equals another's or is further from
// the code's is then never nearer than that other, whatever the weights, and comes later in the list: it need not be looked at. This
// holds unless a value lies so close to the middle between two digits that rounding decides; then the full list counts.
class NearLists {
public:
    // Lists are padded with their last candidate to a multiple of `padding`, a power of two.
    NearLists(const Grid& grid, unsigned bits, std::size_t padding);

    // Codes of candidates in the grid's order; of a point, the point itself. `code` has digits that occur.
    std::span<const std::uint16_t> of(unsigned code) const {
        return {m_codes.data() + m_starts[code], static_cast<std::size_t>(m_starts[code + 1] - m_starts[code])};
    }

    // The same as one array and where each code's list starts in it; the next code's start ends it.
    const std::uint16_t* codes() const { return m_codes.data(); }
    const std::int32_t* starts() const { return m_starts.data(); }

private:
    void add(const Grid& grid, unsigned code, unsigned bits);

    std::vector<std::int32_t> m_starts;
    std::vector<std::uint16_t> m_codes;
};

} // namespace wb::quant

// SPDX-License-Identifier: MIT
#include "core/quant/near_lists.h"

#include <algorithm>

namespace wb::quant {
namespace {

// Where a value lies around its digit, in halves of a step.
struct Interval {
    int low, high;
};

constexpr Interval around{-1, 1}, above{0, 1}, below{-1, 0};

struct Codes {
    unsigned digits, bits;
    int digit(unsigned code, unsigned i) const { return static_cast<int>(code >> (bits * i) & ((1u << bits) - 1)); }
};

// Whether everything within the interval is nearer to `other` than to `mine`, both as distances from the digit: the middle between
// the two lies outside.
bool isNearer(int other, int mine, Interval values) {
    return other < mine ? other + mine >= values.high : other + mine <= values.low;
}

// Whether no digit of `candidate` is nearer than that of `other`, nor as near on the other side. `sides` as in a place.
bool isNeverNearer(unsigned candidate, unsigned other, unsigned code, const unsigned* sides, const Codes& codes) {
    for (unsigned i = 0; i < codes.digits; ++i) {
        const int mine = codes.digit(candidate, i) - codes.digit(code, i), others = codes.digit(other, i) - codes.digit(code, i);
        const Interval values = sides == nullptr ? around : (*sides >> i & 1) != 0 ? above : below;
        if (mine != others && !isNearer(others, mine, values)) return false;
    }
    return true;
}

void keepNear(std::span<const std::uint16_t> candidates, unsigned code, const unsigned* sides, const Codes& codes,
              std::vector<std::uint16_t>& near) {
    const auto first = static_cast<std::ptrdiff_t>(near.size());
    for (const std::uint16_t candidate : candidates) {
        const auto nearer = [&](std::uint16_t other) { return isNeverNearer(candidate, other, code, sides, codes); };
        if (std::none_of(near.begin() + first, near.end(), nearer)) near.push_back(candidate);
    }
}

} // namespace

NearLists::NearLists(const Grid& grid, unsigned bits, std::size_t padding, Sides sides) : m_padding(padding) {
    const Codes codes{grid.digits(), bits};
    const unsigned places = sides == Sides::Known ? 1u << codes.digits : 1;
    m_lists.reserve(std::size_t{places} << (codes.digits * bits));
    for (unsigned code = 0; code < 1u << (codes.digits * bits); ++code) {
        const bool isPoint = grid.pointOf(code) >= 0;
        std::vector<std::uint16_t> near;
        if (isPoint) near.push_back(static_cast<std::uint16_t>(code));
        else keepNear(grid.neighbourCodes(code), code, nullptr, codes, near);
        for (unsigned side = 0; side < places; ++side) {
            const std::size_t start = m_codes.size();
            if (sides == Sides::Known) keepNear(near, code, &side, codes, m_codes);
            else m_codes.insert(m_codes.end(), near.begin(), near.end());
            const std::size_t count = m_codes.size() - start;
            m_lists.push_back({static_cast<std::uint32_t>(start) & 0x3fffff, static_cast<std::uint32_t>(count) & 511, isPoint});
            while (m_codes.size() % padding != 0) m_codes.push_back(m_codes.back());
        }
    }
}

} // namespace wb::quant

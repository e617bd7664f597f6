// SPDX-License-Identifier: MIT
#include "core/quant/kernels/near_lists.h"

#include <algorithm>
#include <cstdlib>

namespace wb::quant {
namespace {

// Whether no digit of `other` is further from the code's digit than that of `candidate`, nor as far on the other side.
bool isNeverNearer(unsigned candidate, unsigned other, unsigned code, unsigned digits, unsigned bits) {
    for (unsigned i = 0; i < digits; ++i) {
        const auto digit = [&](unsigned from) { return static_cast<int>(from >> (bits * i) & ((1u << bits) - 1)); };
        const int mine = digit(candidate) - digit(code), others = digit(other) - digit(code);
        if (mine != others && std::abs(others) >= std::abs(mine)) return false;
    }
    return true;
}

} // namespace

NearLists::NearLists(const Grid& grid, unsigned bits, std::size_t padding) : m_padding(padding) {
    const unsigned codes = 1u << (grid.digits() * bits);
    m_lists.reserve(codes);
    for (unsigned code = 0; code < codes; ++code) {
        const std::size_t start = m_codes.size();
        const bool isPoint = grid.pointOf(code) >= 0;
        if (isPoint) m_codes.push_back(static_cast<std::uint16_t>(code));
        else add(grid, code, bits);
        const std::size_t count = m_codes.size() - start;
        m_lists.push_back({static_cast<std::uint32_t>(start) & 0x3fffff, static_cast<std::uint32_t>(count) & 511, isPoint});
        while (m_codes.size() % padding != 0) m_codes.push_back(m_codes.back());
    }
}

void NearLists::add(const Grid& grid, unsigned code, unsigned bits) {
    const auto first = static_cast<std::ptrdiff_t>(m_codes.size());
    for (const std::uint16_t candidate : grid.neighborCodes(code)) {
        const auto nearer = [&](std::uint16_t other) { return isNeverNearer(candidate, other, code, grid.digits(), bits); };
        if (std::none_of(m_codes.begin() + first, m_codes.end(), nearer)) m_codes.push_back(candidate);
    }
}

} // namespace wb::quant

// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/tables.h"

#include <array>
#include <cstdint>

// The grids of the lattice types as bytes ready to be multiplied: one word a point, element i in byte i. Derived from the digit
// codes of tables.h (docs/reference/gguf.md, "Grid tables").
namespace wb::grids {

// Each point's digits (`bits` wide, lowest first) replaced by `levels[digit]`.
template <class Word, unsigned bits, std::size_t points, std::size_t levelCount>
constexpr std::array<Word, points> expand(const std::array<std::uint16_t, points>& codes,
                                          const std::array<std::int8_t, levelCount>& levels) {
    std::array<Word, points> words{};
    for (std::size_t point = 0; point < points; ++point)
        for (unsigned i = 0; i < sizeof(Word); ++i) {
            const unsigned digit = static_cast<unsigned>(codes[point]) >> (bits * i) & ((1u << bits) - 1);
            words[point] |= static_cast<Word>(static_cast<Word>(static_cast<std::uint8_t>(levels[digit])) << (8 * i));
        }
    return words;
}

inline constexpr std::array<std::int8_t, 3> levelsIq2 = {8, 25, 43};
inline constexpr std::array<std::int8_t, 8> levelsIq3Xxs = {4, 12, 20, 28, 36, 44, 52, 62};
inline constexpr std::array<std::int8_t, 8> levelsIq3S = {1, 3, 5, 7, 9, 11, 13, 15};
inline constexpr std::array<std::int8_t, 3> levelsIq1 = {-1, 0, 1};

inline constexpr auto iq2Xxs = expand<std::uint64_t, 2>(tables::grid_iq2_xxs, levelsIq2);
inline constexpr auto iq2Xs = expand<std::uint64_t, 2>(tables::grid_iq2_xs, levelsIq2);
inline constexpr auto iq2S = expand<std::uint64_t, 2>(tables::grid_iq2_s, levelsIq2);
inline constexpr auto iq3Xxs = expand<std::uint32_t, 3>(tables::grid_iq3_xxs, levelsIq3Xxs);
inline constexpr auto iq3S = expand<std::uint32_t, 3>(tables::grid_iq3_s, levelsIq3S);
inline constexpr auto iq1 = expand<std::uint64_t, 2>(tables::grid_iq1, levelsIq1);

} // namespace wb::grids

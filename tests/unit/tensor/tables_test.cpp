// SPDX-License-Identifier: MIT
#include "core/tensor/tables.h"
#include "core/tensor/grids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace wb {
namespace {

// All grids are sorted by code without duplicates, and their digits stay inside their alphabet.
template <std::size_t points>
void expectGrid(const std::array<std::uint16_t, points>& codes, unsigned bits, unsigned digits, unsigned largest, bool evenSums) {
    EXPECT_EQ(std::ranges::adjacent_find(codes, std::greater_equal{}), codes.end());
    for (const unsigned code : codes) {
        unsigned sum = 0;
        for (unsigned i = 0; i < digits; ++i) {
            const unsigned digit = code >> (bits * i) & ((1u << bits) - 1);
            EXPECT_LE(digit, largest);
            sum += digit;
        }
        EXPECT_TRUE(!evenSums || sum % 2 == 0);
    }
}

TEST(Tables, GridsAreSetsOfPoints) {
    expectGrid(tables::grid_iq2_xxs, 2, 8, 2, true);
    expectGrid(tables::grid_iq2_xs, 2, 8, 2, true);
    expectGrid(tables::grid_iq2_s, 2, 8, 2, true);
    expectGrid(tables::grid_iq3_xxs, 3, 4, 7, true);
    expectGrid(tables::grid_iq3_s, 3, 4, 7, false);
    expectGrid(tables::grid_iq1, 2, 8, 2, false);
}

TEST(Tables, SignsHaveEvenParity) {
    for (unsigned code = 0; code < 128; ++code) {
        EXPECT_EQ(tables::signs_7bit[code] & 127u, code);
        EXPECT_EQ(std::popcount(tables::signs_7bit[code]) % 2, 0);
    }
}

TEST(Tables, GridBytesFollowTheDigits) {
    EXPECT_EQ(tables::grid_iq2_xxs[1], 2); // digit 2, then zeros
    EXPECT_EQ(grids::iq2Xxs[1], 0x080808080808082Bu);
    EXPECT_EQ(tables::grid_iq3_s[4], 7);
    EXPECT_EQ(grids::iq3S[4], 0x0101010Fu);
    EXPECT_EQ(grids::iq1[0], 0xFFFFFFFFFFFFFFFFu);
}

} // namespace
} // namespace wb

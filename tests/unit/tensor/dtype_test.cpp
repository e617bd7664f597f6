// SPDX-License-Identifier: MIT
#include "core/tensor/dtype.h"

#include <gtest/gtest.h>

#include <cctype>
#include <limits>
#include <string>

namespace wb {
namespace {

TEST(Dtype, NamesLeadBack) {
    for (const DtypeInfo& type : allDtypes()) {
        std::string lower = type.name;
        for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        EXPECT_EQ(dtypeFromName(type.name), type.dtype);
        EXPECT_EQ(dtypeFromName(lower), type.dtype);
    }
    EXPECT_EQ(dtypeFromName("Q4_7"), std::nullopt);
    EXPECT_EQ(dtypeFromName("UNKNOWN"), std::nullopt);
    EXPECT_EQ(dtypeFromName(""), std::nullopt);
}

TEST(Dtype, GgmlIdsLeadBack) {
    unsigned known = 0;
    for (std::uint32_t id = 0; id < 100; ++id)
        if (const auto dtype = dtypeFromGgmlId(id)) {
            EXPECT_EQ(ggmlId(*dtype), id);
            ++known;
        }
    EXPECT_EQ(known, 35u) << "43 ids less 8 that were removed";
    for (const std::uint32_t removed : {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 43u, 0xFFFFFFFFu})
        EXPECT_EQ(dtypeFromGgmlId(removed), std::nullopt);
    EXPECT_EQ(ggmlId(Dtype::F8_E4M3), std::nullopt);
    EXPECT_EQ(ggmlId(Dtype::Unknown), std::nullopt);
}

TEST(Dtype, RowBytes) {
    EXPECT_EQ(rowBytes(Dtype::Q4_K, 4096), 16u * 144u);
    EXPECT_EQ(rowBytes(Dtype::Q4_K, 4095), std::nullopt);
    EXPECT_EQ(rowBytes(Dtype::F6_E2M3, 8), 6u);
    EXPECT_EQ(rowBytes(Dtype::F4, 3), std::nullopt);
    EXPECT_EQ(rowBytes(Dtype::I4, 3), 3u) << "as they are read";
    EXPECT_EQ(storedBytes(Dtype::I4, 3), 2u);
    EXPECT_EQ(storedBytes(Dtype::U4, 0), 0u);
    EXPECT_EQ(storedBytes(Dtype::U2, 9), 3u);
    EXPECT_EQ(storedBytes(Dtype::I2, std::numeric_limits<std::uint64_t>::max()), 1ull << 62);
    EXPECT_EQ(storedBytes(Dtype::F16, 3), 6u);
    EXPECT_EQ(rowBytes(Dtype::F64, 0), 0u);
    EXPECT_EQ(rowBytes(Dtype::F64, std::numeric_limits<std::uint64_t>::max()), std::nullopt) << "would overflow";
}

} // namespace
} // namespace wb

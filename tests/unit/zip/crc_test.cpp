// SPDX-License-Identifier: MIT
#include "core/formats/zip/zip.h"
#include "tests/unit/support/simd_targets.h"

#include <random>
#include <vector>

namespace wb::zip {
namespace {

std::vector<std::byte> randomBytes(std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

// Of lengths around the strides, from places that are not aligned, continued from another sum.
TEST(Crc, EqualsTheReadableForm) {
    const auto bytes = randomBytes(5000);
    test::forEachSimdTarget([&] {
        for (const std::size_t begin : {0, 1, 7})
            for (std::size_t length = 0; length < 400; ++length)
                for (const std::uint32_t before : {0u, 1u, 0xDEADBEEFu, 0xFFFFFFFFu}) {
                    const auto part = std::span(bytes).subspan(begin, length);
                    ASSERT_EQ(crc32(before, part), scalar::crc32(before, part)) << begin << " " << length;
                }
        EXPECT_EQ(crc32(0, bytes), scalar::crc32(0, bytes));
        const std::vector<std::byte> zeros(1000);
        EXPECT_EQ(crc32(0, zeros), scalar::crc32(0, zeros));
    });
}

// The check value of ISO 3309.
TEST(Crc, IsThatOfZip) {
    constexpr std::string_view digits = "123456789";
    EXPECT_EQ(crc32(0, std::as_bytes(std::span(digits))), 0xCBF43926u);
    std::string many;
    for (int i = 0; i < 100; ++i) many += digits;
    std::uint32_t joined = 0;
    for (int i = 0; i < 100; ++i) joined = crc32(joined, std::as_bytes(std::span(digits)));
    EXPECT_EQ(crc32(0, std::as_bytes(std::span(many))), joined);
}

} // namespace
} // namespace wb::zip

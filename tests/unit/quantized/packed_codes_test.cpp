// SPDX-License-Identifier: MIT
#include "core/formats/quantized/packed_codes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace wb::quantized {
namespace {

std::vector<std::uint8_t> someCodes(std::size_t count, unsigned bits) {
    std::minstd_rand random(7);
    std::vector<std::uint8_t> codes(count);
    for (auto& code : codes) code = static_cast<std::uint8_t>(random() >> 8 & ((1u << bits) - 1));
    return codes;
}

void setBit(std::vector<std::uint32_t>& words, std::uint64_t bit, bool value) {
    if (value) words[bit / 32] |= 1u << bit % 32;
}

// Bit by bit, as the layouts are described.
std::vector<std::uint32_t> pack(CodeLayout layout, const std::vector<std::uint8_t>& codes) {
    std::vector<std::uint32_t> words(wordsFor(layout, codes.size()));
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (layout.packing == Packing::Planar) {
            const std::vector<unsigned> widths = layout.bits == 3   ? std::vector<unsigned>{2, 1}
                                                 : layout.bits == 5 ? std::vector<unsigned>{4, 1}
                                                 : layout.bits == 6 ? std::vector<unsigned>{4, 2}
                                                 : layout.bits == 7 ? std::vector<unsigned>{4, 2, 1}
                                                                    : std::vector<unsigned>{layout.bits};
            std::uint64_t plane = i / 32 * layout.bits * 32;
            unsigned low = 0;
            for (const unsigned width : widths) {
                for (unsigned b = 0; b < width; ++b) setBit(words, plane + i % 32 * width + b, codes[i] >> (low + b) & 1);
                plane += 32 * width;
                low += width;
            }
            continue;
        }
        const unsigned perWord = 32 / layout.bits;
        const std::uint64_t first =
            layout.packing == Packing::Dense ? i * layout.bits : i / perWord * 32 + i % perWord * layout.bits;
        for (unsigned b = 0; b < layout.bits; ++b) setBit(words, first + b, codes[i] >> b & 1);
    }
    return words;
}

void expectEveryRange(CodeLayout layout, std::size_t count) {
    SCOPED_TRACE(testing::Message() << "bits " << layout.bits << " packing " << static_cast<int>(layout.packing));
    const auto codes = someCodes(count, layout.bits);
    const auto words = pack(layout, codes);
    for (std::size_t first = 0; first < count; first += 5)
        for (std::size_t n = 1; first + n <= count; n += 7) {
            const WordRange range = codeWords(layout, first, n);
            ASSERT_LE(range.first + range.count, words.size());
            std::vector<std::uint8_t> out(n);
            unpack(layout, std::span(words).subspan(range.first, range.count), first, out);
            ASSERT_TRUE(std::equal(out.begin(), out.end(), codes.begin() + static_cast<std::ptrdiff_t>(first)))
                << first << " " << n;
        }
}

TEST(PackedCodes, EveryRangeOfEveryLayout) {
    for (unsigned bits = 1; bits <= 8; ++bits) {
        expectEveryRange({Packing::Dense, bits}, 150);
        expectEveryRange({Packing::WholeCodes, bits}, 150);
        expectEveryRange({Packing::Planar, bits}, 128);
    }
}

TEST(PackedCodes, Words) {
    EXPECT_EQ(wordsFor({Packing::Dense, 3}, 96), 9u);
    EXPECT_EQ(wordsFor({Packing::Dense, 3}, 97), 10u);
    EXPECT_EQ(wordsFor({Packing::WholeCodes, 3}, 97), 10u);
    EXPECT_EQ(wordsFor({Packing::Dense, 8}, ~std::uint64_t{0} >> 1), (~std::uint64_t{0} >> 3) + 1);
}

} // namespace
} // namespace wb::quantized

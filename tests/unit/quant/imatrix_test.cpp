// SPDX-License-Identifier: MIT
#include "core/quant/imatrix/imatrix.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

// The two forms of importance matrices as llama-quantize v0.5.0 reads them, and what neither may hold.
namespace wb::quant {
namespace {

struct Stored {
    std::string name;
    std::vector<float> values;
};

// A matrix in the GGUF form; every tensor is one row of f32.
std::string tensorsGguf(const std::vector<Stored>& tensors) {
    test::GgufBuilder out;
    out.texts("imatrix.datasets", {"c.txt"}).pair("imatrix.chunk_count", 7u).pair("imatrix.chunk_size", 512u);
    for (const auto& [name, values] : tensors)
        out.tensor(name, {values.size()}, 0, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    return out.build();
}

void append(std::string& out, auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

// One entry "w" of the legacy form, without what may follow it.
std::string legacyFromCalls(std::int32_t calls, const std::vector<float>& values) {
    std::string out;
    append(out, 1);
    append(out, 1);
    out += "w";
    append(out, calls);
    append(out, static_cast<std::int32_t>(values.size()));
    for (const float value : values) append(out, value);
    return out;
}

Result<Imatrix> read(const std::string& content) {
    const test::TemporaryFolder folder;
    return readImatrix(folder.file("m.imatrix", content));
}

std::vector<float> valuesFromContent(const std::string& content) {
    const auto matrix = read(content);
    EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().message());
    const auto values = matrix ? matrix->find("w").readAll() : std::vector<float>();
    EXPECT_TRUE(values);
    return values.value_or(std::vector<float>());
}

using Floats = std::vector<float>;

TEST(Imatrix, DividesByWholeCounts) {
    EXPECT_EQ(valuesFromContent(tensorsGguf({{"w.in_sum2", {6, 12}}, {"w.counts", {3}}})), (Floats{2, 4}));
    EXPECT_EQ(valuesFromContent(tensorsGguf({{"w.in_sum2", {6, 12}}, {"w.counts", {2.5f}}})), (Floats{2, 4}))
        << "ties go away from zero";
    EXPECT_EQ(valuesFromContent(tensorsGguf({{"w.in_sum2", {6, 12}}, {"w.counts", {0.5f}}})), (Floats{6, 12}));
    EXPECT_EQ(valuesFromContent(tensorsGguf({{"w.in_sum2", {6, 12, 4, 8}}, {"w.counts", {3, 4}}})), (Floats{2, 4, 1, 2}))
        << "each expert its own";
}

TEST(Imatrix, IsReadInAnyPieces) {
    const std::vector<Floats> counts = {{3, 4}, {2}};
    for (const Floats& seen : counts) {
        const auto matrix = read(tensorsGguf({{"w.in_sum2", {6, 12, 4, 8, 24, 16}}, {"w.counts", seen}}));
        ASSERT_TRUE(matrix);
        const ColumnWeights weights = matrix->find("w");
        const auto all = weights.readAll();
        ASSERT_EQ(weights.size(), 6u);
        for (std::uint64_t first = 0; first < 6; ++first)
            for (std::uint64_t count = 0; first + count <= 6; ++count) {
                Floats part(count);
                ASSERT_TRUE(weights.read(first, part));
                EXPECT_TRUE(std::ranges::equal(part, std::span(*all).subspan(first, count))) << first << " " << count;
            }
    }
    EXPECT_TRUE(read(legacyFromCalls(1, {1}))->find("other").empty());
}

TEST(Imatrix, ColumnsWithoutACountAreAllAlike) {
    for (const float count :
         {0.0f, 0.4f, -3.0f, 1e30f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        EXPECT_EQ(valuesFromContent(tensorsGguf({{"w.in_sum2", {6, 12}}, {"w.counts", {count}}})), (Floats{1, 1})) << count;
}

TEST(Imatrix, OtherTensorsAreLeftOut) {
    const auto matrix = read(tensorsGguf({{"note", {1}}, {"w.in_sum2", {6}}, {"w.counts", {3}}}));
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->entries.size(), 1u);
    EXPECT_EQ(matrix->chunks, 7u);
    EXPECT_EQ(matrix->datasets, std::vector<std::string>{"c.txt"});
}

// The reference counts chunks in 32 signed bits and asks for the data sets' key, not for its type.
TEST(Imatrix, TakesOddKeysAsTheReferenceDoes) {
    test::GgufBuilder out;
    out.pair("imatrix.datasets", 1u).pair("imatrix.chunk_count", 0xffffffffu).pair("imatrix.chunk_size", 512u);
    const float one = 1;
    for (const char* name : {"w.in_sum2", "w.counts"}) out.tensor(name, {1}, 0, {reinterpret_cast<const char*>(&one), sizeof one});
    const auto matrix = read(out.build());
    ASSERT_TRUE(matrix) << matrix.error().message();
    EXPECT_TRUE(matrix->datasets.empty());
    EXPECT_EQ(matrix->chunks, 0u);
}

TEST(Imatrix, FiltersByAnyOfSeveralTexts) {
    const Imatrix all{"m", {}, 0, {{"attn_q", {}}, {"attn_k", {}}, {"ffn", {}}}};
    const std::vector<std::string> texts = {"_q", "ffn"};
    Imatrix kept = all, left = all, same = all;
    filterEntries(kept, texts, false);
    filterEntries(left, texts, true);
    filterEntries(same, {}, false);
    EXPECT_EQ(kept.entries.size(), 2u);
    EXPECT_EQ(left.entries.size(), 1u);
    EXPECT_TRUE(left.entries.contains("attn_k"));
    EXPECT_EQ(same.entries.size(), 3u);
}

TEST(Imatrix, RefusesWhatIsNotWhole) {
    EXPECT_FALSE(read(tensorsGguf({{"w.in_sum2", {6}}})));
    EXPECT_FALSE(read(tensorsGguf({{"w.counts", {6}}})));
    EXPECT_FALSE(read(tensorsGguf({{"w.in_sum2", {6, 7, 8}}, {"w.counts", {1, 2}}})));
    EXPECT_FALSE(read(tensorsGguf({})));
    EXPECT_FALSE(read(""));
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        EXPECT_FALSE(read(tensorsGguf({{"w.in_sum2", {value}}, {"w.counts", {1}}})));
        EXPECT_FALSE(read(legacyFromCalls(2, {value})));
    }
}

// Quantizers make nothing of them but a ruined model.
TEST(Imatrix, RefusesNegativeValues) {
    for (const std::string& content :
         {tensorsGguf({{"w.in_sum2", {1, -1e-30f}}, {"w.counts", {2}}}), legacyFromCalls(2, {1, -1})}) {
        const auto matrix = read(content);
        ASSERT_FALSE(matrix);
        EXPECT_EQ(matrix.error().message(), "The importance matrix m.imatrix has a negative value for w, but mean squares are "
                                            "never negative; create it again.");
    }
    EXPECT_TRUE(read(legacyFromCalls(1, {-0.0f})));
    EXPECT_TRUE(read(tensorsGguf({{"w.in_sum2", {-1}}, {"w.counts", {0}}}))) << "it counts for nothing";
}

TEST(Imatrix, NoticesThatItsFileWasChanged) {
    const test::TemporaryFolder folder;
    const auto matrix = readImatrix(folder.file("m.imatrix", legacyFromCalls(1, {6, 12})));
    ASSERT_TRUE(matrix);
    std::fstream(folder.path() / "m.imatrix", std::ios::in | std::ios::out | std::ios::binary).seekp(17) << "\xff\xff\xff\xff";
    const auto values = matrix->find("w").readAll();
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().code, ErrorCode::Changed);
}

// Zeros but for its beginning.
class Hole final : public io::ByteSource {
public:
    Hole(std::string begin, std::uint64_t size) : m_begin(std::move(begin)), m_size(size) {}
    std::uint64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        std::ranges::fill(out, std::byte{0});
        if (offset < m_begin.size())
            std::memcpy(out.data(), &m_begin[offset], std::min<std::size_t>(out.size(), m_begin.size() - offset));
        return {};
    }

private:
    std::string m_begin, m_name = "hole";
    std::uint64_t m_size;
};

TEST(Imatrix, HasALargestSize) {
    test::GgufBuilder out;
    out.texts("imatrix.datasets", {"c.txt"}).pair("imatrix.chunk_count", 7u).pair("imatrix.chunk_size", 512u);
    constexpr std::uint64_t count = 5ull << 30;
    out.info("w.in_sum2", {count}, 0, 0).info("w.counts", {1}, 0, count * 4);
    const std::string header = out.build();
    const auto matrix = readImatrix(std::make_shared<Hole>(header, header.size() + count * 4 + 32), Progress{});
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().code, ErrorCode::TooLarge) << matrix.error().message();
}

TEST(LegacyImatrix, DividesByItsCalls) {
    EXPECT_EQ(valuesFromContent(legacyFromCalls(2, {6, 12})), (Floats{3, 6}));
    EXPECT_EQ(valuesFromContent(legacyFromCalls(0, {6, 12})), (Floats{6, 12}));
    EXPECT_EQ(valuesFromContent(legacyFromCalls(-1, {6, 12})), (Floats{6, 12}));
}

TEST(LegacyImatrix, TheLastEntryOfANameCounts) {
    std::string content = legacyFromCalls(2, {6, 12}) + legacyFromCalls(1, {8, 9}).substr(sizeof(std::int32_t));
    const std::int32_t two = 2;
    std::memcpy(content.data(), &two, sizeof two);
    EXPECT_EQ(valuesFromContent(content), (Floats{8, 9}));
}

TEST(LegacyImatrix, MayEndWithTheChunksAndAName) {
    std::string content = legacyFromCalls(2, {6});
    append(content, 9);
    EXPECT_EQ(read(content)->chunks, 9u);
    append(content, 0);
    ASSERT_TRUE(read(content)) << "a matrix made of others has no data set";
    EXPECT_TRUE(read(content)->datasets.empty());
    content.resize(content.size() - 4);
    append(content, 5);
    EXPECT_FALSE(read(content)) << "the name is cut off";
    EXPECT_EQ(read(content + "a.txt")->datasets, std::vector<std::string>{"a.txt"});
}

TEST(LegacyImatrix, RefusesCountsThatCannotBe) {
    for (const std::size_t at : {0u, 4u, 13u})
        for (const std::int32_t wrong : {0, -1, 2'000'000'000}) {
            std::string content = legacyFromCalls(2, {6});
            std::memcpy(&content[at], &wrong, sizeof wrong);
            EXPECT_FALSE(read(content)) << at << " " << wrong;
        }
}

// A hole in a file costs nothing there; it must not cost memory here.
TEST(LegacyImatrix, RefusesNamesWithoutEnd) {
    std::string content;
    append(content, 1);
    append(content, 100 << 20);
    const auto matrix = readImatrix(std::make_shared<Hole>(content, 1ull << 30), Progress{});
    ASSERT_FALSE(matrix);
    EXPECT_NE(matrix.error().message().find("byte 4"), std::string::npos) << matrix.error().message();
}

} // namespace
} // namespace wb::quant

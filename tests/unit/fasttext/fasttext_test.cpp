// SPDX-License-Identifier: MIT
#include "core/formats/fasttext/fasttext.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::fasttext {
namespace {

using testing::HasSubstr;

template <typename T>
std::string number(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// Settings, and a dictionary of one word and one label.
std::string beginning(std::int32_t version = 12) {
    std::string out = "\xBA\x16\x4F\x2F" + number(version);
    for (const std::int32_t setting : {2, 5, 5, 1, 5, 1, 3, 3, 0, 0, 0, 100}) out += number(setting);
    out += number(0.0001) + number(2) + number(1) + number(1) + number(std::int64_t{7}) + number(std::int64_t{-1});
    for (const char* word : {"the", "__label__a"})
        out += word + std::string(1, '\0') + number(std::int64_t{3}) + std::string(1, '\0');
    return out;
}

std::string matrix(std::int64_t rows, std::int64_t columns) {
    return number(rows) + number(columns) + std::string(static_cast<std::size_t>(rows * columns) * 4, '\0');
}

const std::string dense = beginning() + std::string(1, '\0') + matrix(1, 2) + std::string(1, '\0') + matrix(1, 2);

// One row of two codes of parts of one element, and norms.
const std::string centroids = number(2) + number(2) + number(1) + number(1) + std::string(2 * 256 * 4, '\0');
const std::string normCentroids = number(1) + number(1) + number(1) + number(1) + std::string(256 * 4, '\0');
const std::string quantized = beginning() + "\1" + "\1" + number(std::int64_t{1}) + number(std::int64_t{2}) + number(2) + "ab" +
                              centroids + "c" + normCentroids + std::string(1, '\0') + matrix(1, 2);

formats::Sources sources(const std::string& content) {
    return {std::make_shared<io::MemorySource>("a.bin", test::toBytes(content))};
}

TEST(FastText, MatricesOfWordsAndLabels) {
    ASSERT_TRUE(sniff(test::toBytes(dense)));
    const auto index = readIndex(sources(dense), {}, {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_EQ(index->model.format, FormatId::FastText);
    EXPECT_EQ(index->model.version, "12");
    EXPECT_TRUE(index->model.problems.empty());
    ASSERT_EQ(index->model.tensors.size(), 2u);
    EXPECT_EQ(index->model.tensors[0].name, "input");
    EXPECT_EQ(index->model.tensors[1].offset(), dense.size() - 8);
    EXPECT_EQ(summary(*index->model.metadata.find("model")), "supervised");
    EXPECT_EQ(index->model.metadata.find("words")->number(), 1);
    EXPECT_EQ(summary(index->model.metadata.find("dictionary")->array()->first.at(1)), "__label__a");
}

TEST(FastText, QuantizedMatricesAreListedByTheirParts) {
    const auto index = readIndex(sources(quantized), {}, {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_TRUE(index->model.problems.empty());
    ASSERT_EQ(index->model.tensors.size(), 5u);
    EXPECT_EQ(index->model.tensors[0].name, "input.codes");
    EXPECT_EQ(index->model.tensors[0].shape, Shape::make({1, 2}));
    EXPECT_EQ(index->model.tensors[1].shape, Shape::make({2, 256}));
    EXPECT_EQ(index->model.tensors[2].name, "input.norm_codes");
    EXPECT_EQ(index->model.tensors[4].name, "output");
}

TEST(FastText, DamageIsSaid) {
    const auto cut = readIndex(sources(dense.substr(0, dense.size() - 1)), {}, {});
    ASSERT_TRUE(cut);
    EXPECT_FALSE(cut->model.tensors.at(1).isReadable());
    EXPECT_THAT(cut->model.problems.at(0).message(), HasSubstr("is cut"));
    EXPECT_THAT(readIndex(sources(dense + "x"), {}, {})->model.problems.at(0).message(), HasSubstr("1 bytes"));
    const auto newer = readIndex(sources(beginning(13)), {}, {});
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, ErrorCode::Unsupported);
    const auto negative =
        readIndex(sources(beginning() + std::string(1, '\0') + number(std::int64_t{-1}) + number(std::int64_t{2})), {}, {});
    ASSERT_FALSE(negative);
    EXPECT_THAT(negative.error().message(), HasSubstr("does not fit"));
}

TEST(FastText, IsCutAndBentAtEveryByteWithoutHarm) {
    test::cutAndBend(readIndex, nullptr, sources(dense), 0, test::toBytes(dense));
    test::cutAndBend(readIndex, nullptr, sources(quantized), 0, test::toBytes(quantized));
}

} // namespace
} // namespace wb::fasttext

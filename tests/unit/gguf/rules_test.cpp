// SPDX-License-Identifier: MIT
// One file for each line of docs/reference/gguf.md, "Malformed-file rules a reader enforces", opened strictly and leniently.
#include "tests/unit/gguf/opening.h"

namespace wb {
namespace {

using namespace test;
using RulesBuilder = GgufBuilder;

constexpr std::uint32_t rulesF32 = 0;
constexpr std::uint32_t q4_0 = 2;
constexpr std::uint64_t greatest = ~0ull;

const std::string sixteen(16, '\1');
const std::string thirtyTwo(32, '\1');

RulesBuilder named() {
    RulesBuilder builder;
    builder.pair("general.architecture", "llama");
    return builder;
}

// ---- header

TEST(GgufRules, HeaderWithAnotherMagic) { expectRefusedTwice("GGUX" + named().build().substr(4), "gguf.magic"); }
TEST(GgufRules, HeaderOfVersionZero) { expectRefusedTwice(RulesBuilder(0).build(), "gguf.version_0"); }
TEST(GgufRules, HeaderOfVersionFour) { expectRefusedTwice(RulesBuilder(4).build(), "gguf.version_unknown"); }
TEST(GgufRules, HeaderOfVersionOne) {
    expectShown(RulesBuilder(1).pair("general.architecture", "llama").build(), "warning gguf.version_1");
}
TEST(GgufRules, HeaderInBigEndian) {
    expectShown(RulesBuilder(3, true).pair("general.architecture", "llama").build(), "warning gguf.big_endian");
}

TEST(GgufRules, HeaderWithNegativeTensorCount) {
    RulesBuilder builder = named();
    builder.tensorCount = greatest;
    expectRefusedTwice(builder.build(), "gguf.tensor_count");
}

TEST(GgufRules, HeaderWithNegativePairCount) {
    RulesBuilder builder = named();
    builder.pairCount = greatest;
    expectRefusedTwice(builder.build(), "gguf.pair_count");
}

TEST(GgufRules, HeaderWithMoreTensorsThanTheFileCanHold) {
    RulesBuilder builder = named();
    builder.tensorCount = 1'000'000;
    expectRefusedTwice(builder.build(), "gguf.tensor_count");
}

TEST(GgufRules, HeaderWithTensorCountWhoseSizeWraps) {
    RulesBuilder builder = named();
    builder.tensorCount = greatest / 24 + 2;
    expectRefusedTwice(builder.build(), "gguf.tensor_count");
}

TEST(GgufRules, HeaderWithPairCountWhoseSizeWraps) {
    RulesBuilder builder = named();
    builder.pairCount = greatest / 13 + 2;
    expectRefusedTwice(builder.build(), "gguf.pair_count");
}

TEST(GgufRules, HeaderCutShort) {
    for (std::size_t size = 0; size < 24; ++size) expectRefusedTwice(RulesBuilder().build().substr(0, size), "");
}

// ---- strings and keys

TEST(GgufRules, StringLongerThanTheReferenceAllows) {
    expectRefusedTwice(RulesBuilder().pair("k", RulesBuilder::String, RulesBuilder().length((1ull << 30) + 1)).build(),
                       "gguf.text_length");
}

TEST(GgufRules, StringLongerThanTheFile) {
    expectRefusedTwice(RulesBuilder().pair("k", RulesBuilder::String, RulesBuilder().length(1000) + "short").build(),
                       "gguf.text_cut");
}

TEST(GgufRules, StringWhoseEndWraps) {
    expectRefusedTwice(RulesBuilder().pair("k", RulesBuilder::String, RulesBuilder().length(greatest - 8)).build(),
                       "gguf.text_length");
}

TEST(GgufRules, KeyEmpty) { expectShown(named().pair("", 1).build(), "error gguf.empty_key"); }
TEST(GgufRules, KeyTwice) { expectShown(named().pair("k", 1).pair("k", 2).build(), "error gguf.duplicate_key"); }
TEST(GgufRules, KeyLongerThanTheFormatAllows) {
    expectRefusedTwice(named().pair(std::string(65536, 'k'), 1).build(), "gguf.text_length");
}
TEST(GgufRules, KeyTruncated) { expectRefusedTwice(named().pair("a long enough key", 1).build().substr(0, 60), ""); }

TEST(GgufRules, ValueTruncated) {
    const std::string bytes = named().pair("k", RulesBuilder::U64, std::string(8, 'v')).build();
    expectRefusedTwice(bytes.substr(0, bytes.size() - 1), "io.ends_early");
}

// ---- values

TEST(GgufRules, ValueOfUnknownType) { expectRefusedTwice(named().pair("k", 13, sixteen).build(), "gguf.value_type"); }
TEST(GgufRules, ValueOfNegativeType) { expectRefusedTwice(named().pair("k", ~0u, sixteen).build(), "gguf.value_type"); }

TEST(GgufRules, ArrayOfUnknownType) {
    expectRefusedTwice(named().pair("k", RulesBuilder::Array, RulesBuilder().arrayHead(99, 1) + sixteen).build(),
                       "gguf.value_type");
}

TEST(GgufRules, ArrayOfArrays) {
    const RulesBuilder b;
    const std::string inner = b.arrayHead(RulesBuilder::U8, 2) + "ab";
    const auto model =
        expectShown(named().pair("k", RulesBuilder::Array, b.arrayHead(RulesBuilder::Array, 2) + inner + inner).build(),
                    "warning gguf.nested_array");
    const Value* value = model->metadata.find("k");
    ASSERT_TRUE(value && value->array());
    EXPECT_EQ(summary(*value), "[[97, 98], [97, 98]]");
}

TEST(GgufRules, ArrayNestedBeyondTheCap) {
    const RulesBuilder b;
    for (const auto& [depth, shown] : {std::pair(64, true), std::pair(65, false)}) {
        std::string value;
        for (int i = 1; i < depth; ++i) value += b.arrayHead(RulesBuilder::Array, 1);
        value += b.arrayHead(RulesBuilder::U8, 1) + "x";
        const auto bytes = named().pair("k", RulesBuilder::Array, value).build();
        if (shown) expectShown(bytes, "warning gguf.nested_array");
        else expectRefusedTwice(bytes, "");
    }
}

TEST(GgufRules, ArrayOfMoreElementsThanTheReferenceAllows) {
    expectRefusedTwice(named().pair("k", RulesBuilder::Array, RulesBuilder().arrayHead(RulesBuilder::U8, (1ull << 30) + 1)).build(),
                       "gguf.array_length");
}

TEST(GgufRules, ArrayOfNumbersLongerThanTheFile) {
    expectRefusedTwice(named().pair("k", RulesBuilder::Array, RulesBuilder().arrayHead(RulesBuilder::U32, 5) + sixteen).build(),
                       "gguf.array_length");
}

TEST(GgufRules, ArrayOfStringsLongerThanTheFile) {
    expectRefusedTwice(named().pair("k", RulesBuilder::Array, RulesBuilder().arrayHead(RulesBuilder::String, 3) + sixteen).build(),
                       "gguf.array_length");
}

TEST(GgufRules, ArrayWhoseSizeWraps) {
    expectRefusedTwice(
        named().pair("k", RulesBuilder::Array, RulesBuilder().arrayHead(RulesBuilder::U64, (1ull << 61) + 1)).build(),
        "gguf.array_length");
}

TEST(GgufRules, LongArrayWithStringBeyondTheFile) {
    const RulesBuilder b;
    std::string value = b.arrayHead(RulesBuilder::String, 100);
    for (int i = 0; i < 99; ++i) value += b.text("t");
    expectRefusedTwice(named().pair("k", RulesBuilder::Array, value + b.length(1000)).build(), "");
}

// ---- alignment

TEST(GgufRules, AlignmentNotU32) {
    auto builder = named()
                       .pair("general.alignment", RulesBuilder::U64, RulesBuilder().number(std::uint64_t{32}))
                       .tensor("a", {4}, rulesF32, sixteen);
    const auto model = expectShown(builder.build(), "error gguf.alignment");
    EXPECT_EQ(model->tensors.at(0).source.unavailableWhy(), "");
}

TEST(GgufRules, AlignmentZero) {
    const auto model =
        expectShown(named().pair("general.alignment", 0u).tensor("a", {4}, rulesF32, sixteen).build(), "error gguf.alignment");
    EXPECT_NE(model->tensors.at(0).source.unavailableWhy(), "");
    EXPECT_FALSE(model->tensors.at(0).offset());
}

TEST(GgufRules, AlignmentNoPowerOfTwo) {
    const auto model =
        expectShown(named().pair("general.alignment", 24u).tensor("a", {4}, rulesF32, sixteen).build(), "error gguf.alignment");
    EXPECT_NE(model->tensors.at(0).source.unavailableWhy(), "");
}

TEST(GgufRules, AlignmentOfText) { expectShown(named().pair("general.alignment", "32").build(), "error gguf.alignment"); }

// ---- tensor infos

TEST(GgufRules, TensorNameOf64Bytes) {
    EXPECT_TRUE(openStrict(named().tensor(std::string(63, 'n'), {4}, rulesF32, sixteen).build()));
    expectShown(named().tensor(std::string(64, 'n'), {4}, rulesF32, sixteen).build(), "warning gguf.long_name");
}

TEST(GgufRules, TensorNameBeyondTheCap) {
    expectRefusedTwice(named().tensor(std::string(70'000, 'n'), {4}, rulesF32, sixteen).build(), "gguf.text_length");
}

TEST(GgufRules, TensorTwice) {
    expectShown(named().tensor("a", {4}, rulesF32, sixteen).tensor("a", {4}, rulesF32, sixteen).build(),
                "error gguf.duplicate_tensor");
}

TEST(GgufRules, TensorOfFiveDimensions) {
    const auto model = expectShown(named().tensor("a", {4, 1, 1, 1, 1}, rulesF32, sixteen).build(), "warning gguf.rank");
    EXPECT_EQ(model->tensors.at(0).shape.toString(), "[1, 1, 1, 1, 4]");
    EXPECT_EQ(model->tensors.at(0).source.unavailableWhy(), "");
}

TEST(GgufRules, TensorOfNineDimensions) {
    expectRefusedTwice(named().tensor("a", std::vector<std::uint64_t>(9, 1), rulesF32, sixteen).build(), "gguf.rank");
}

TEST(GgufRules, TensorOfEndlessDimensions) {
    RulesBuilder claimed = named();
    claimed.tensorCount = 1;
    expectRefusedTwice(claimed.build() + claimed.text("a") + claimed.number(~0u) + std::string(64, '\0'), "gguf.rank");
}

TEST(GgufRules, DimensionNegative) {
    expectRefusedTwice(named().tensor("a", {greatest, 1}, rulesF32, sixteen).build(), "gguf.tensor_size");
}
TEST(GgufRules, DimensionNegativeBesideZero) {
    expectRefusedTwice(named().tensor("a", {greatest, 0}, rulesF32, sixteen).build(), "gguf.tensor_size");
}

TEST(GgufRules, DimensionsWhoseProductWraps) {
    expectRefusedTwice(named().tensor("a", {1ull << 32, 1ull << 32}, rulesF32, sixteen).build(), "gguf.tensor_size");
    expectRefusedTwice(named().tensor("a", {1ull << 31, 1ull << 31, 4}, rulesF32, sixteen).build(), "gguf.tensor_size");
}

TEST(GgufRules, DimensionsWhoseProductIsTheGreatestNumber) {
    expectRefusedTwice(named().tensor("a", {(1ull << 63) - 1}, 24, sixteen).build(), "gguf.tensor_size");
}

TEST(GgufRules, TypeRemoved) {
    for (const auto& [id, name] : {std::pair(4u, "Q4_2 (removed)"), std::pair(5u, "Q4_3 (removed)"),
                                   std::pair(31u, "Q4_0_4_4 (removed)"), std::pair(38u, "IQ4_NL_8_8 (removed)")}) {
        const auto bytes = named().tensor("a", {32}, id, sixteen).build();
        const auto model = expectShown(bytes, "warning gguf.type");
        EXPECT_EQ(model->tensors.at(0).dtypeName(), name);
        expectRefused(openStrict(bytes), "was removed");
    }
}

TEST(GgufRules, TypeOfAFork) {
    const auto model = expectShown(named().tensor("a", {32}, 144, sixteen).build(), "warning gguf.type");
    EXPECT_EQ(model->tensors.at(0).dtypeName(), "IQ4_KS");
    EXPECT_THAT(model->tensors.at(0).source.unavailableWhy(), testing::HasSubstr("ik_llama.cpp"));
}

TEST(GgufRules, TypeUnknown) {
    for (const std::uint32_t id : {43u, 1000u, 0x80000000u}) {
        const auto model = expectShown(named().tensor("a", {32}, id, sixteen).build(), "warning gguf.type");
        EXPECT_EQ(model->tensors.at(0).dtypeName(), fmt::format("type {}", id));
    }
}

TEST(GgufRules, TypeUnknownReachesToTheNextTensor) {
    const auto model = expectShown(named().tensor("a", {32}, 99, std::string(70, 'x')).tensor("b", {4}, rulesF32, sixteen).build(),
                                   "warning gguf.type");
    EXPECT_EQ(model->tensors.at(0).bytes(), 96u);
    EXPECT_EQ(model->tensors.at(1).source.unavailableWhy(), "");
}

TEST(GgufRules, RowNotWholeBlocks) {
    const auto model = expectShown(named().tensor("a", {33, 32}, q4_0, thirtyTwo).build(), "error gguf.row");
    EXPECT_NE(model->tensors.at(0).source.unavailableWhy(), "");
}

TEST(GgufRules, RowWhoseBytesDoNotFit) {
    expectRefusedTwice(named().tensor("a", {1ull << 62}, 27, sixteen).build(), "gguf.tensor_size");
}

// ---- offsets and data

TEST(GgufRules, OffsetsWithGap) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 0).info("b", {4}, rulesF32, 64);
    builder.data = std::string(96, 'x');
    const auto model = expectShown(builder.build(), "warning gguf.gap");
    EXPECT_EQ(model->tensors.at(1).source.unavailableWhy(), "");
}

TEST(GgufRules, OffsetsWithGapInFront) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 32);
    builder.data = std::string(64, 'x');
    expectShown(builder.build(), "warning gguf.gap");
}

TEST(GgufRules, OffsetsThatOverlap) {
    RulesBuilder builder = named().info("a", {16}, rulesF32, 0).info("b", {16}, rulesF32, 32);
    builder.data = std::string(96, 'x');
    expectShown(builder.build(), "error gguf.overlap");
}

TEST(GgufRules, OffsetsThatAreEqual) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 0).info("b", {4}, rulesF32, 0);
    builder.data = std::string(32, 'x');
    expectShown(builder.build(), "error gguf.overlap");
}

TEST(GgufRules, OffsetsInAnotherOrder) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 32).info("b", {4}, rulesF32, 0);
    builder.data = std::string(64, 'x');
    expectShown(builder.build(), "warning gguf.order");
}

TEST(GgufRules, OffsetNotAligned) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 0).info("b", {4}, rulesF32, 16);
    builder.data = std::string(64, 'x');
    expectShown(builder.build(), "warning gguf.misaligned");
}

TEST(GgufRules, OffsetThatWraps) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, greatest - 15);
    builder.data = std::string(32, 'x');
    expectRefusedTwice(builder.build(), "gguf.tensor_offset");
}

TEST(GgufRules, OffsetsWhoseSumWraps) {
    RulesBuilder builder = named();
    for (int i = 0; i < 3; ++i) builder.info(fmt::format("t{}", i), {(1ull << 62) - 64}, rulesF32, 0);
    expectRefusedTwice(builder.build(), "");
}

TEST(GgufRules, DataBeyondTheEnd) {
    const std::string bytes = named().tensor("a", {4}, rulesF32, sixteen).tensor("b", {8}, rulesF32, thirtyTwo).build();
    const auto model = expectShown(bytes.substr(0, bytes.size() - 1), "error gguf.cut");
    EXPECT_EQ(model->tensors.at(0).source.unavailableWhy(), "");
    EXPECT_NE(model->tensors.at(1).source.unavailableWhy(), "");
}

TEST(GgufRules, DataSectionBeyondTheEnd) {
    RulesBuilder builder = named().tensor("a", {0}, rulesF32, "");
    const std::string bytes = builder.build();
    ASSERT_GT(bytes.size() - builder.infosAt(), 40u);
    expectShown(bytes.substr(0, builder.infosAt() + builder.text("a").size() + 4 + 8 + 4 + 8), "error gguf.cut");
}

TEST(GgufRules, PaddingAfterTheLastTensorMayBeMissing) {
    const std::string bytes = named().tensor("a", {4}, rulesF32, sixteen).build();
    EXPECT_TRUE(openStrict(bytes.substr(0, bytes.size() - 16)));
}

TEST(GgufRules, BytesAfterTheDataAreAWarning) {
    const auto model = openStrict(named().tensor("a", {4}, rulesF32, sixteen).build() + "trailing");
    ASSERT_TRUE(model);
    EXPECT_THAT(openingProblems(**model), testing::ElementsAre("warning gguf.trailing"));
}

// ---- what the lenient view says about where

TEST(GgufRules, ProblemsNameTheByte) {
    RulesBuilder builder = named().info("a", {4}, rulesF32, 0).info("b", {4}, rulesF32, 64);
    builder.data = std::string(96, 'x');
    const std::string bytes = builder.build();
    const auto model = openLenient(bytes);
    ASSERT_TRUE(model);
    const auto gap = std::ranges::find((*model)->problems, Reason("gguf.gap"), &Problem::code);
    ASSERT_NE(gap, (*model)->problems.end());
    EXPECT_EQ(gap->offset, bytes.size() - 96 + 32);
    EXPECT_EQ(gap->file, fileName);
}

} // namespace
} // namespace wb

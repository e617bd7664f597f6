// SPDX-License-Identifier: MIT
#include "core/formats/ctranslate2/ctranslate2.h"

#include "core/formats/packed/packed.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::ctranslate2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::string number(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

std::string text(const std::string& content) {
    return number(static_cast<std::uint16_t>(content.size() + 1)) + content + std::string(1, '\0');
}

std::string variable(const std::string& name, std::vector<std::uint32_t> sides, std::uint8_t type, const std::string& values) {
    std::string out = text(name) + number(static_cast<std::uint8_t>(sides.size()));
    for (const std::uint32_t side : sides) out += number(side);
    return out + number(type) + number(static_cast<std::uint32_t>(values.size())) + values;
}

std::string file(std::uint32_t version, std::uint32_t count, const std::string& variables) {
    return number(version) + text("TransformerSpec") + number(std::uint32_t{7}) + number(count) + variables;
}

// An int8 weight of two rows with its scales, a number, and an alias of the weight.
const std::string model6 = file(6, 3,
                                variable("encoder/linear/weight", {2, 2}, 1, "\1\2\3\xFC") +
                                    variable("encoder/linear/weight_scale", {2}, 0, number(2.0f) + number(4.0f)) +
                                    variable("encoder/num_heads", {}, 2, number(std::int16_t{8}))) +
                           number(std::uint32_t{1}) + text("decoder/weight") + text("encoder/linear/weight");

formats::Sources sources(const std::string& content) {
    return {std::make_shared<io::MemorySource>("model.bin", test::toBytes(content))};
}

TEST(CTranslate2, VariablesAndTheirDecodedWeights) {
    ASSERT_TRUE(sniff(test::toBytes(model6)));
    const auto files = sources(model6);
    auto index = readIndex(files, {}, {});
    ASSERT_TRUE(index) << index.error().message();
    const Model model = formats::modelFromIndex(std::move(*index), files, packed::unpack);
    EXPECT_EQ(model.format, FormatId::CTranslate2);
    EXPECT_EQ(model.version, "6");
    EXPECT_EQ(model.architecture, "TransformerSpec");
    EXPECT_TRUE(model.problems.empty());
    ASSERT_EQ(model.tensors.size(), 4u);
    EXPECT_EQ(model.tensors[0].dtype, Dtype::I8);
    EXPECT_THAT(model.tensors[0].details->aliases, ElementsAre("decoder/weight"));
    EXPECT_EQ(model.metadata.find("encoder/num_heads")->number(), 8);
    const TensorInfo& decoded = model.tensors[3];
    EXPECT_TRUE(decoded.logical);
    const auto reader = TensorReader::open(model, decoded);
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(4);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, values, scratch));
    EXPECT_THAT(values, ElementsAre(0.5f, 1, 0.75f, -1));
}

TEST(CTranslate2, OldVersionsStateTheSizeOfAnElement) {
    const std::string old = number(std::uint32_t{3}) + text("TransformerBase") + number(std::uint32_t{1}) +
                            number(std::uint32_t{1}) + text("w") + number(std::uint8_t{1}) + number(std::uint32_t{2}) +
                            number(std::uint8_t{4}) + number(std::uint32_t{2}) + number(1.0f) + number(2.0f) +
                            number(std::uint32_t{0});
    const auto index = readIndex(sources(old), {}, {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_EQ(index->model.tensors.at(0).dtype, Dtype::F32);
    EXPECT_TRUE(index->model.problems.empty());
}

TEST(CTranslate2, DamageIsSaid) {
    const auto cut = readIndex(sources(model6.substr(0, 90)), {}, {});
    ASSERT_TRUE(cut) << cut.error().message();
    EXPECT_THAT(cut->model.problems.at(0).message(), HasSubstr("is cut"));
    EXPECT_THAT(readIndex(sources(model6 + "x"), {}, {})->model.problems.at(0).message(), HasSubstr("1 bytes"));
    const auto shape = readIndex(sources(file(6, 1, variable("w", {3}, 0, "abcd"))), {}, {});
    ASSERT_FALSE(shape);
    EXPECT_THAT(shape.error().message(), HasSubstr("shape"));
    const auto newer = readIndex(sources(file(7, 0, "")), {}, {});
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(
        readIndex(sources(file(6, 0, number(std::uint32_t{1}) + text("a") + text("b"))), {}, {})->model.problems.at(0).message(),
        HasSubstr("alias"));
    EXPECT_FALSE(sniff(test::toBytes(std::string(64, '\0'))));
    EXPECT_FALSE(sniff(test::toBytes(std::string("\6\0\0\0\5\0a b\0\0\0\0\0\0\0\0\0", 19))));
}

TEST(CTranslate2, IsCutAndBentAtEveryByteWithoutHarm) {
    test::cutAndBend(readIndex, packed::unpack, sources(model6), 0, test::toBytes(model6));
}

} // namespace
} // namespace wb::ctranslate2

// SPDX-License-Identifier: MIT
#include "core/formats/paddle/paddle.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::paddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
std::string number(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// A field of bytes of a message, shorter than 128.
std::string field(unsigned number, const std::string& content) {
    return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(content.size()) + content;
}

std::string varint(unsigned number, unsigned value) {
    return std::string(1, static_cast<char>(number << 3)) + static_cast<char>(value);
}

std::string description(unsigned type, std::vector<unsigned> sides) {
    std::string out = varint(1, type);
    for (const unsigned side : sides) out += varint(2, side);
    return out;
}

constexpr unsigned f32 = 5, i64 = 3;

std::string variable(const std::string& name, const std::string& tensor) {
    return field(3, field(1, name) + field(2, varint(1, 7) + field(3, field(1, tensor))) + varint(3, 1));
}

std::string value(const std::string& tensor, const std::string& elements) {
    return number(std::uint32_t{0}) + number(std::uint64_t{0}) + number(std::uint32_t{0}) +
           number(static_cast<std::int32_t>(tensor.size())) + tensor + elements;
}

// Two variables, which the program names in another order than the alphabet, the list that feeds it, and two operators.
const std::string program =
    field(1, varint(1, 0) + varint(2, 0) + field(3, field(1, "feed") + field(2, varint(1, 9)) + varint(3, 1)) +
                 variable("w", description(f32, {2})) + variable("b", description(i64, {1})) + field(4, field(3, "conv2d")) +
                 field(4, field(3, "conv2d"))) +
    field(4, varint(1, 3));
const std::string values =
    value(description(i64, {1}), number(std::int64_t{9})) + value(description(f32, {2}), number(1.5f) + number(-2.0f));

std::shared_ptr<io::ByteSource> source(const std::string& name, const std::string& content) {
    return std::make_shared<io::MemorySource>(name, test::toBytes(content));
}

std::vector<std::string> names(const formats::Index& index) {
    std::vector<std::string> out;
    for (const TensorInfo& tensor : index.model.tensors) out.push_back(tensor.name);
    return out;
}

TEST(Paddle, AProgramNamesTheValues) {
    ASSERT_TRUE(sniff(*source("a.pdmodel", program)));
    ASSERT_TRUE(sniffValues(test::toBytes(values)));
    // Either file may be the one that was opened.
    for (const formats::Sources& files : {formats::Sources{source("a.pdmodel", program), source("a.pdiparams", values)},
                                          formats::Sources{source("a.pdiparams", values), source("a.pdmodel", program)}}) {
        auto index = readIndex(files, {}, {});
        ASSERT_TRUE(index) << index.error().message();
        EXPECT_THAT(names(*index), ElementsAre("b", "w"));
        EXPECT_EQ(index->model.version, "3");
        EXPECT_EQ(index->model.metadata.find("types")->object()->find("conv2d")->unsignedNumber(), 2u);
        const Model model = formats::modelFromIndex(std::move(*index), files);
        EXPECT_EQ(model.format, FormatId::Paddle);
        EXPECT_TRUE(model.problems.empty());
        const auto reader = TensorReader::open(model, model.tensors[1]);
        ASSERT_TRUE(reader) << reader.error().message();
        std::vector<float> read(2);
        std::vector<std::byte> scratch;
        ASSERT_TRUE(reader->readF32(0, read, scratch));
        EXPECT_THAT(read, ElementsAre(1.5f, -2));
    }
}

TEST(Paddle, EitherFileAloneSaysWhatIsMissing) {
    const auto alone = readIndex({source("a.pdiparams", values)}, {}, {});
    ASSERT_TRUE(alone);
    EXPECT_THAT(names(*alone), ElementsAre("value 0", "value 1"));
    EXPECT_THAT(alone->model.problems.at(0).message(), HasSubstr(".pdmodel"));
    const auto empty = readIndex({source("a.pdmodel", program)}, {}, {});
    ASSERT_TRUE(empty);
    EXPECT_THAT(names(*empty), ElementsAre("b", "w"));
    EXPECT_FALSE(empty->model.tensors.at(0).isReadable());
    EXPECT_THAT(empty->model.problems.at(0).message(), HasSubstr(".pdiparams"));
}

TEST(Paddle, DamageIsSaid) {
    const auto cut = readIndex({source("a.pdiparams", values.substr(0, values.size() - 1))}, {}, {});
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->model.tensors.size(), 1u);
    EXPECT_EQ(cut->model.problems.at(0).severity, Severity::Error);
    const auto other =
        readIndex({source("a.pdmodel", program), source("a.pdiparams", value(description(f32, {1}), "abcd"))}, {}, {});
    ASSERT_TRUE(other);
    EXPECT_THAT(names(*other), ElementsAre("value 0"));
    EXPECT_THAT(other->model.problems.at(0).message(), HasSubstr("names are not known"));
    const auto bent = readIndex({source("a.pdiparams", values + std::string(40, '\7'))}, {}, {});
    ASSERT_FALSE(bent);
    EXPECT_THAT(bent.error().message(), HasSubstr("no variable"));
    EXPECT_FALSE(sniffValues({}));
    EXPECT_FALSE(sniffValues(test::toBytes(std::string(64, '\0'))));
    EXPECT_FALSE(sniff(*source("a", "")));
    EXPECT_FALSE(sniff(*source("a", field(1, field(1, "a node of TensorFlow")))));
}

TEST(Paddle, IsCutAndBentAtEveryByteWithoutHarm) {
    const formats::Sources files{source("a.pdmodel", program), source("a.pdiparams", values)};
    test::cutAndBend(readIndex, nullptr, files, 0, test::toBytes(program));
    test::cutAndBend(readIndex, nullptr, files, 1, test::toBytes(values));
    test::cutAndBend(readIndex, nullptr, {source("a.pdiparams", values)}, 0, test::toBytes(values));
}

} // namespace
} // namespace wb::paddle

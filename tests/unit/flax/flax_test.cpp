// SPDX-License-Identifier: MIT
#include "core/formats/flax/flax.h"

#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::flax {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

Result<Model> load(std::vector<std::byte> bytes) {
    const formats::Sources sources{std::make_shared<io::MemorySource>("a.msgpack", std::move(bytes))};
    WB_TRY_ASSIGN(auto index, readIndex(sources, {}, {}));
    return formats::modelFromIndex(std::move(index), sources);
}
Result<Model> load(const std::string& bytes) { return load(test::toBytes(bytes)); }

std::string text(const std::string& value) { return static_cast<char>(0xA0 + value.size()) + value; }
std::string number(unsigned value) {
    return "\xCE"s + std::string{static_cast<char>(value >> 24), static_cast<char>(value >> 16 & 255),
                                 static_cast<char>(value >> 8 & 255), static_cast<char>(value & 255)};
}

// ext 1: shape, type, bytes.
std::string array(const std::vector<unsigned>& sides, const std::string& type, const std::string& bytes) {
    std::string content = "\x93"s + static_cast<char>(0x90 + sides.size());
    for (const unsigned side : sides) content += number(side);
    content += text(type) + "\xC4"s + static_cast<char>(bytes.size()) + bytes;
    return "\xC7"s + static_cast<char>(content.size()) + "\x01"s + content;
}
std::string one(const std::string& key, const std::string& value) { return "\x81"s + text(key) + value; }

TEST(Flax, Fixtures) {
    WB_NEED_SHARED("fixtures/jax");
    for (const char* name : {"flax_dtypes", "flax_chunked", "flax_train_state"}) {
        const std::string file = std::string(name) + ".msgpack";
        SCOPED_TRACE(name);
        const auto source = io::FileSource::open(test::shared() / "fixtures/jax" / file);
        ASSERT_TRUE(source);
        EXPECT_TRUE(sniff(**source));
        const auto model = open(test::shared() / "fixtures/jax" / file, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, "jax/" + file), 0u);
        EXPECT_TRUE((*model)->problems.empty());
    }
}

TEST(Flax, ReadsWhatIsWrittenByHand) {
    const auto model = load(one("params", one("w", array({2}, "int8", "\x01\xFF"s))));
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_EQ(model->tensors[0].name, "params.w");
    EXPECT_TRUE(TensorReader::open(*model, model->tensors[0]));
}

TEST(Flax, ValuesThatDoNotFit) {
    for (const auto& bytes : {array({3}, "int8", "ab"), array({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "int8", "ab")}) {
        const auto model = load(one("w", bytes));
        ASSERT_TRUE(model);
        ASSERT_EQ(model->tensors.size(), 1u);
        EXPECT_FALSE(model->tensors[0].isReadable());
        EXPECT_EQ(model->problems.size(), 1u);
    }
    const auto unknown = load(one("w", array({1}, "float3", "a")));
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->tensors.at(0).dtypeName(), "float3");
}

TEST(Flax, APieceThatIsMissingIsSaid) {
    const std::string chunked = "\x83"s + text("__msgpack_chunked_array__") + "\xC3" + text("shape") + one("0", number(4)) +
                                text("chunks") + "\x82" + text("0") + array({2}, "int8", "ab") + text("2") +
                                array({2}, "int8", "cd");
    const auto model = load(one("w", chunked));
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_THAT(model->tensors[0].source.unavailableWhy(), HasSubstr("missing"));
}

TEST(Flax, DeepNestingIsRefused) {
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "\x81"s + text("a");
    const auto model = load(deep + "\xC0");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::TooLarge);
}

TEST(Flax, IsCutAndBentAtEveryByteWithoutHarm) {
    const auto whole = test::toBytes(one("params", one("w", array({2, 1}, "float16", "abcd"))));
    for (std::size_t length = 0; length < whole.size(); ++length)
        if (const auto cut = load(std::vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))); !cut) {
            EXPECT_THAT(cut.error().message(), HasSubstr("a.msgpack"));
        }
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (unsigned value = 0; value < 256; ++value) {
            auto bent = whole;
            bent[at] = static_cast<std::byte>(value);
            const auto model = load(std::move(bent));
            if (!model) continue;
            for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
        }
}

} // namespace
} // namespace wb::flax

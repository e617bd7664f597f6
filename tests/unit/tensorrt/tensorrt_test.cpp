// SPDX-License-Identifier: MIT
#include "core/formats/tensorrt/tensorrt.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::tensorrt {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// The header of an engine of 24 bytes and a text.
std::string engine() { return "ptrt\x07\0\0\0\x2A\0\0\0\0\0\0\0"s + "\1\2layer_norm_1/kernel\0\1\2"s; }

Result<formats::Index> read(const std::string& content) {
    return readIndex({std::make_shared<io::MemorySource>("a.engine", test::toBytes(content))}, {}, {});
}

TEST(TensorRt, ShowsHeaderAndTextsAndSaysThatItIsCode) {
    ASSERT_TRUE(sniff(test::toBytes(engine())));
    const auto index = read(engine());
    ASSERT_TRUE(index) << index.error().message();
    const ValueObject& metadata = index->model.metadata;
    ASSERT_TRUE(metadata.find("version_code") && metadata.find("bytes") && metadata.find("texts"));
    EXPECT_EQ(metadata.find("version_code")->unsignedNumber(), 7u);
    EXPECT_EQ(metadata.find("bytes")->unsignedNumber(), 42u);
    ASSERT_EQ(metadata.find("texts")->array()->count, 1u);
    EXPECT_EQ(*metadata.find("texts")->array()->first[0].string(), "layer_norm_1/kernel");
    EXPECT_TRUE(index->model.tensors.empty());
    EXPECT_TRUE(std::ranges::any_of(
        index->model.problems, [](const Problem& p) { return p.message().find("contains device code") != std::string::npos; }));
}

TEST(TensorRt, ReadsTheJsonInFrontOfIt) {
    const std::string json = R"({"task":"detect"})";
    const std::string content = std::string(1, static_cast<char>(json.size())) + "\0\0\0"s + json + engine();
    ASSERT_TRUE(sniff(test::toBytes(content)));
    const auto index = read(content);
    ASSERT_TRUE(index);
    ASSERT_TRUE(index->model.metadata.find("prefix"));
    EXPECT_EQ(*index->model.metadata.find("prefix")->object()->find("task")->string(), "detect");
}

TEST(TensorRt, IsCutAndBentAtEveryByteWithoutHarm) {
    EXPECT_FALSE(read("something else"));
    const auto content = test::toBytes(engine());
    test::cutAndBend(readIndex, nullptr, {std::make_shared<io::MemorySource>("a.engine", content)}, 0, content);
}

} // namespace
} // namespace wb::tensorrt

// SPDX-License-Identifier: MIT
#include "core/formats/tfjs/tfjs.h"

#include "core/formats/packed/packed.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::tfjs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A kernel that two shards divide, a quantized bias, and a scalar.
const std::string topology =
    R"({"format":"graph-model","generatedBy":"2.4","modelTopology":{"node":[{"name":"x","op":"Const"},{"name":"y","op":"MatMul"},)"
    R"({"name":"z","op":"Const"}]},"weightsManifest":[{"paths":["a.bin","b.bin"],"weights":[)"
    R"({"name":"kernel","shape":[2,2],"dtype":"float32"},)"
    R"({"name":"bias","shape":[3],"dtype":"float32","quantization":{"dtype":"uint8","scale":0.5,"min":-1}},)"
    R"({"name":"step","shape":[],"dtype":"int32"}]}]})";

std::string floats(std::initializer_list<float> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
}

formats::Sources sources(const std::string& json, const std::string& first, const std::string& second) {
    return {std::make_shared<io::MemorySource>("model.json", test::toBytes(json)),
            std::make_shared<io::MemorySource>("a.bin", test::toBytes(first)),
            std::make_shared<io::MemorySource>("b.bin", test::toBytes(second))};
}

std::vector<float> values(const Model& model, const TensorInfo& tensor) {
    const auto reader = TensorReader::open(model, tensor);
    EXPECT_TRUE(reader) << tensor.name;
    std::vector<float> out(tensor.shape.elements());
    std::vector<std::byte> scratch;
    if (reader) {
        EXPECT_TRUE(reader->readF32(0, out, scratch));
    }
    return out;
}

const std::string firstShard = floats({1, 2});
const std::string secondShard = floats({3, 4}) + std::string("\0\4\xFF", 3) + std::string("\7\0\0\0", 4);

TEST(TfJs, WeightsOfAllShardsAreRead) {
    ASSERT_TRUE(sniff(topology));
    EXPECT_THAT(shardNames(topology), ElementsAre("a.bin", "b.bin"));
    const auto files = sources(topology, firstShard, secondShard);
    auto index = readIndex(files, "a.bin\nb.bin\n", {});
    ASSERT_TRUE(index) << index.error().message();
    const Model model = formats::modelFromIndex(std::move(*index), files, packed::unpack);
    EXPECT_EQ(model.format, FormatId::TfJs);
    EXPECT_TRUE(model.problems.empty());
    ASSERT_EQ(model.tensors.size(), 4u);
    EXPECT_THAT(values(model, model.tensors[0]), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(model.tensors[1].dtype, Dtype::U8);
    EXPECT_TRUE(model.tensors[2].logical);
    EXPECT_THAT(values(model, model.tensors[2]), ElementsAre(-1, 1, 126.5f));
    EXPECT_THAT(values(model, model.tensors[3]), ElementsAre(7));
    const Value* types = model.metadata.find("types");
    ASSERT_NE(types, nullptr);
    EXPECT_EQ(types->object()->find("Const")->unsignedNumber(), 2u);
}

TEST(TfJs, AListOfWeightsAloneIsRead) {
    const std::string list = R"([{"weights":[{"name":"w","shape":[2],"dtype":"float16"}],"paths":["a.bin"]}])";
    ASSERT_TRUE(sniff(list));
    const auto index = readIndex(sources(list, "abcd", ""), "a.bin\nb.bin\n", {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_EQ(index->model.tensors.at(0).dtype, Dtype::F16);
}

TEST(TfJs, MissingAndShortShardsAreSaid) {
    const auto missing = readIndex({sources(topology, firstShard, secondShard)[0]}, "", {});
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->model.problems.at(0).message(), HasSubstr("a.bin"));
    EXPECT_FALSE(missing->model.tensors.at(0).isReadable());
    const auto cut = readIndex(sources(topology, firstShard, floats({3})), "a.bin\nb.bin\n", {});
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->model.problems.at(0).severity, Severity::Error);
    const auto trailing = readIndex(sources(topology, firstShard, secondShard + "x"), "a.bin\nb.bin\n", {});
    ASSERT_TRUE(trailing);
    EXPECT_THAT(trailing->model.problems.at(0).message(), HasSubstr("1 bytes"));
    const auto divided = readIndex(sources(topology, firstShard + "x", secondShard), "a.bin\nb.bin\n", {});
    ASSERT_TRUE(divided);
    EXPECT_FALSE(divided->model.tensors.at(0).isReadable());
}

TEST(TfJs, OtherTextsAreRefused) {
    EXPECT_FALSE(sniff(R"({"a":1})"));
    EXPECT_FALSE(sniff("[1, 2]"));
    EXPECT_FALSE(sniff(""));
    const auto bad = readIndex(sources(R"({"weightsManifest":[{"paths":7}]})", "", ""), "", {});
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.error().message(), HasSubstr("model.json"));
    EXPECT_FALSE(readIndex(sources(R"({"weightsManifest":[{"weights":[{"shape":[-1]}]}]})", "", ""), "", {}));
}

TEST(TfJs, ShardsOutsideOfTheFolderAreNotOpened) {
    const test::TemporaryFolder folder;
    folder.file("w.bin", "abcd");
    const auto path = folder.file("sub/model.json", R"({"weightsManifest":[{"paths":["../w.bin"],"weights":[)"
                                                    R"({"name":"w","shape":[1],"dtype":"float32"}]}]})");
    const auto model = open(path, {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_FALSE((*model)->tensors.at(0).isReadable());
}

TEST(TfJs, IsCutAndBentAtEveryByteWithoutHarm) {
    const auto files = sources(topology, firstShard, secondShard);
    test::cutAndBend(readIndex, packed::unpack, files, 0, test::toBytes(topology), "a.bin\nb.bin\n");
    test::cutAndBend(readIndex, packed::unpack, files, 2, test::toBytes(secondShard), "a.bin\nb.bin\n");
}

} // namespace
} // namespace wb::tfjs

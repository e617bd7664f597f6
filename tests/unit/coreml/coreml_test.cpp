// SPDX-License-Identifier: MIT
#include "core/formats/coreml/coreml.h"

#include "core/formats/packed/packed.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

namespace wb::coreml {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

fs::path fixtures() { return test::shared() / "fixtures/runtime/coreml"; }

const TensorInfo* find(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

// Fields of protobuf messages.
std::string field(unsigned number, const std::string& content) {
    std::string out;
    const auto varint = [&](std::size_t value) {
        for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
        out += static_cast<char>(value);
    };
    varint(number << 3 | 2);
    varint(content.size());
    return out + content;
}
std::string number(unsigned field, unsigned value) {
    std::string out;
    for (unsigned key = field << 3; key != 0 || out.empty(); key >>= 7)
        out += static_cast<char>((key & 0x7F) | (key >= 0x80 ? 0x80 : 0));
    return out + static_cast<char>(value);
}

Result<formats::Index> read(const std::string& message, const std::string& wish = {}, formats::Sources more = {}) {
    formats::Sources sources{std::make_shared<io::MemorySource>("a.mlmodel", test::toBytes(message))};
    sources.insert(sources.end(), more.begin(), more.end());
    return readIndex(sources, wish, {});
}

TEST(CoreMl, FixturesAreAsTheirMakersSay) {
    WB_NEED_SHARED("fixtures/runtime/coreml");
    for (const char* name : {"neuralnetwork.mlmodel", "neuralnetwork_linear_16.mlmodel", "neuralnetwork_linear_8.mlmodel",
                             "neuralnetwork_linear_lut_4.mlmodel"}) {
        SCOPED_TRACE(name);
        const auto model = open(fixtures() / name, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->format, FormatId::CoreMl);
        EXPECT_EQ(test::expectTruth(**model, std::string("runtime/coreml/") + name), 0u);
        EXPECT_TRUE((*model)->problems.empty());
    }
    for (const char* name : {"float16", "float32", "int4_block_ios18", "linear_int8", "palettized_4bit", "palettized_6bit_uniform",
                             "palettized_grouped_ios18", "pruned_sparse"}) {
        SCOPED_TRACE(name);
        const auto model = openPackage(fixtures() / (std::string(name) + ".mlpackage"), {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->format, FormatId::MlPackage);
        EXPECT_EQ((*model)->files.at(0).name, "Data/com.apple.CoreML/model.mlmodel");
        EXPECT_EQ(test::expectTruth(**model, std::string("runtime/coreml/") + name + ".mlpackage"), 0u);
        EXPECT_TRUE((*model)->problems.empty());
    }
}

TEST(CoreMl, TheNetworkOfTheCorpusIsRead) {
    WB_NEED_SHARED("corpus/coreml/MNIST.mlmodel");
    const auto model = open(test::shared() / "corpus/coreml/MNIST.mlmodel", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->version, "1");
    EXPECT_EQ((*model)->tensors.size(), 8u);
    EXPECT_EQ((*model)->parameters(), 600'810u);
    ASSERT_TRUE(find(**model, "convolution2d_2.weights"));
    EXPECT_EQ(find(**model, "convolution2d_2.weights")->shape, Shape::make({32, 32, 3, 3}));
}

TEST(CoreMl, AProgramWithoutItsWeightsIsListed) {
    WB_NEED_SHARED("fixtures/runtime/coreml");
    const auto message = test::readFile(fixtures() / "float32.mlpackage/Data/com.apple.CoreML/model.mlmodel");
    const auto index = readIndex({test::inMemory("a.mlmodel", message)}, {}, {});
    ASSERT_TRUE(index);
    ASSERT_TRUE(find(index->model, "fc1.weight"));
    EXPECT_FALSE(find(index->model, "fc1.weight")->isReadable());
    EXPECT_THAT(index->model.problems.at(0).message(), HasSubstr("missing"));
}

// The program of a fixture as Xcode writes it.
TEST(CoreMl, ACompiledProgramIsText) {
    WB_NEED_SHARED("fixtures/runtime/coreml");
    const std::string text = R"(program(1.0)
[buildInfo = dict<tensor<string, []>, tensor<string, []>>({{"coremlc-version", "3404.23.1"}})]
{
    func main<ios16>(tensor<fp32, [1, 96]> x) {
            tensor<fp32, [64, 96]> fc1_weight_0 = const()[name = tensor<string, []>("fc1_weight_0"), val = tensor<fp32, [64, 96]>(BLOBFILE(path = tensor<string, []>("@model_path/weights/weight.bin"), offset = tensor<uint64, []>(64)))];
            tensor<fp32, [64]> fc1_bias_0 = const()[name = tensor<string, []>("fc1_bias_0"), val = tensor<fp32, [64]>(BLOBFILE(path = tensor<string, []>("@model_path/weights/weight.bin"), offset = tensor<uint64, []>(24704)))];
            tensor<fp32, [1, 64]> fc1 = linear(bias = fc1_bias_0, weight = fc1_weight_0, x = x)[name = tensor<string, []>("fc1")];
        } -> (fc1);
})";
    const auto weights = test::readFile(fixtures() / "float32.mlpackage/Data/com.apple.CoreML/weights/weight.bin");
    const formats::Sources sources{test::inMemory("model.mil", test::toBytes(text)), test::inMemory("weight.bin", weights)};
    auto index = readIndex(sources, "weight.bin\n", {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_TRUE(index->model.problems.empty());
    const Model model = formats::modelFromIndex(std::move(*index), sources);
    EXPECT_EQ(model.format, FormatId::MlModelC);
    for (const char* name : {"fc1_weight_0", "fc1_bias_0", "fc1.weight", "fc1.bias"}) {
        ASSERT_TRUE(find(model, name)) << name;
        EXPECT_TRUE(TensorReader::open(model, *find(model, name))) << name;
    }
    const auto truth = openPackage(fixtures() / "float32.mlpackage", {});
    ASSERT_TRUE(truth);
    EXPECT_EQ(test::hashOfValues(model, *find(model, "fc1.weight")), test::hashOfValues(**truth, *find(**truth, "fc1.weight")));
    test::cutAndBend(readIndex, packed::unpack, sources, 0, test::toBytes(text), "weight.bin\n");
}

TEST(CoreMl, AnOlderCompiledNetworkIsRefused) {
    const test::TemporaryFolder folder;
    folder.file("a.mlmodelc/model.espresso.net", "{}");
    const auto model = openCompiled(folder.path() / "a.mlmodelc", {});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().reason, Reason("coreml.espresso"));
}

TEST(CoreMl, APackageWithoutAModelIsOneSentence) {
    const test::TemporaryFolder folder;
    for (const char* manifest : {"", "{}", R"({"itemInfoEntries":{"a":{"path":"x"}},"rootModelIdentifier":"b"})",
                                 R"({"itemInfoEntries":{"a":{"path":"../../x"}},"rootModelIdentifier":"a"})"}) {
        folder.file("p.mlpackage/Manifest.json", manifest);
        folder.file("p.mlpackage/Data/x", "");
        const auto model = openPackage(folder.path() / "p.mlpackage", {});
        ASSERT_FALSE(model) << manifest;
        EXPECT_THAT(model.error().message(), HasSubstr("p.mlpackage"));
    }
}

// An ML program whose blob is outside of the model's folder.
TEST(CoreMl, AFileOutsideTheFolderIsAProblem) {
    const std::string type = field(2, field(1, number(1, 11) + number(2, 1) + field(3, field(1, number(1, 4)))));
    const std::string value = type + field(5, field(1, "@model_path/../../secret") + number(2, 0));
    const std::string constant = field(1, "const") + field(3, field(1, "w") + type) + field(5, field(1, "val") + field(2, value));
    const std::string program = field(502, field(2, field(1, "main") + field(2, field(3, field(2, field(3, constant))))));
    const auto index = read(number(1, 7) + field(2, "") + program);
    ASSERT_TRUE(index) << index.error().message();
    ASSERT_EQ(index->model.tensors.size(), 1u);
    EXPECT_FALSE(index->model.tensors[0].isReadable());
    EXPECT_TRUE(std::ranges::any_of(index->model.problems, [](const Problem& p) { return p.code == Reason("path.traversal"); }));
}

TEST(CoreMl, LinearModelsAndPipelinesAreRead) {
    const std::string linear = field(300, field(1, field(1, std::string(16, '\0'))) + field(2, std::string(8, '\0')));
    const auto one = read(number(1, 1) + field(2, "") + linear);
    ASSERT_TRUE(one);
    ASSERT_TRUE(find(one->model, "weights.0") && find(one->model, "offset"));
    EXPECT_EQ(find(one->model, "weights.0")->shape, Shape::make({2}));
    const auto pipeline = read(number(1, 1) + field(2, "") + field(202, field(1, number(1, 1) + linear)));
    ASSERT_TRUE(pipeline);
    EXPECT_TRUE(find(pipeline->model, "model0/weights.0"));
    std::string deep = linear;
    for (int i = 0; i < 40; ++i) deep = field(202, field(1, deep));
    EXPECT_FALSE(read(number(1, 1) + field(2, "") + deep));
}

TEST(CoreMl, IsCutAndBentAtEveryByteWithoutHarm) {
    WB_NEED_SHARED("fixtures/runtime/coreml");
    for (const char* name : {"neuralnetwork_linear_8.mlmodel", "neuralnetwork_linear_lut_4.mlmodel"}) {
        const auto content = test::readFile(fixtures() / name);
        test::cutAndBend(readIndex, packed::unpack, {test::inMemory("a.mlmodel", content)}, 0, content);
    }
    for (const char* name : {"linear_int8", "palettized_grouped_ios18", "pruned_sparse"}) {
        const auto folder = fixtures() / (std::string(name) + ".mlpackage/Data/com.apple.CoreML");
        const auto content = test::readFile(folder / "model.mlmodel"), weights = test::readFile(folder / "weights/weight.bin");
        const formats::Sources sources{test::inMemory("a.mlmodel", content), test::inMemory("weight.bin", weights)};
        test::cutAndBend(readIndex, packed::unpack, sources, 0, content, "weight.bin\n", 1500);
        test::cutAndBend(readIndex, packed::unpack, sources, 1, weights, "weight.bin\n", 100);
    }
}

} // namespace
} // namespace wb::coreml

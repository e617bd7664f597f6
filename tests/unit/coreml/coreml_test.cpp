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

// A convolution in f16 with a bias, a matrix, codes with their scales, and a blob that no layer names.
constexpr const char* espressoNetwork = R"({"format_version":200,"layers":[
  {"name":"c1","type":"convolution","C":2,"K":4,"Nx":3,"Ny":1,"n_groups":2,"blob_weights_f16":7,"blob_biases":1},
  {"name":"fc","type":"inner_product","nB":3,"nC":2,"blob_weights":2},
  {"name":"q","type":"convolution","C":2,"K":1,"Nx":1,"Ny":1,"weights":{"W_U8":3,"per_ch_qscale":4}},
  {"name":"gone","type":"batchnorm","blob_batchnorm_params":99}]})";

std::string espressoWeights() {
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> blobs = {{7, 24}, {1, 8}, {2, 24}, {3, 2}, {4, 8}, {5, 6}};
    std::string out, data;
    const auto add = [&out](std::uint64_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof number); };
    add(blobs.size());
    for (const auto& [number, bytes] : blobs) {
        add(number);
        add(bytes);
        data.append(bytes, static_cast<char>('0' + number));
    }
    return out + data;
}

TEST(CoreMl, AnOlderCompiledNetworkIsRead) {
    const test::TemporaryFolder folder;
    folder.file("a.mlmodelc/model.espresso.net", espressoNetwork);
    folder.file("a.mlmodelc/model.espresso.weights", espressoWeights());
    const auto model = openCompiled(folder.path() / "a.mlmodelc", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::MlModelC);
    const auto expect = [&](const char* name, Dtype dtype, const Shape& shape, std::uint64_t offset) {
        const TensorInfo* const tensor = find(**model, name);
        ASSERT_TRUE(tensor) << name;
        EXPECT_EQ(tensor->dtype, dtype) << name;
        EXPECT_EQ(tensor->shape, shape) << name;
        EXPECT_EQ(tensor->offset(), offset) << name;
        EXPECT_TRUE(TensorReader::open(**model, *tensor)) << name;
    };
    constexpr std::uint64_t data = 8 + 6 * 16;
    expect("c1.weights", Dtype::F16, *Shape::make({2, 2, 1, 3}), data);
    expect("c1.biases", Dtype::F32, *Shape::make({2}), data + 24);
    expect("fc.weights", Dtype::F32, *Shape::make({2, 3}), data + 32);
    expect("q.W_U8", Dtype::U8, *Shape::make({2, 1, 1, 1}), data + 56);
    expect("q.per_ch_qscale", Dtype::F32, *Shape::make({2}), data + 58);
    expect("blob.5", Dtype::U8, *Shape::make({6}), data + 66);
    ASSERT_TRUE(find(**model, "gone.batchnorm_params"));
    EXPECT_FALSE(find(**model, "gone.batchnorm_params")->isReadable());
    EXPECT_THAT((*model)->problems.at(0).message(), HasSubstr("gone.batchnorm_params"));
    const formats::Sources sources{test::inMemory("model.espresso.net", test::toBytes(espressoNetwork)),
                                   test::inMemory("model.espresso.weights", test::toBytes(espressoWeights()))};
    test::cutAndBend(readIndex, packed::unpack, sources, 0, test::toBytes(espressoNetwork));
    test::cutAndBend(readIndex, packed::unpack, sources, 1, test::toBytes(espressoWeights()));
}

TEST(CoreMl, ADamagedCompiledNetworkIsAProblemOrRefused) {
    const auto read = [](const std::string& network, const std::string& weights) {
        return readIndex({test::inMemory("a.net", test::toBytes(network)), test::inMemory("a.weights", test::toBytes(weights))}, {},
                         {});
    };
    const std::string weights = espressoWeights();
    for (const char* network : {"{}", R"({"layers":3})"}) {
        const auto index = read(network, weights);
        ASSERT_FALSE(index);
        EXPECT_EQ(index.error().reason, Reason("coreml.layers"));
    }
    for (const std::string& table : {std::string(), std::string(8, '\xFF'), std::string("\1\0\0\0\0\0\0\0", 8)}) {
        const auto index = read(espressoNetwork, table);
        ASSERT_FALSE(index);
        EXPECT_EQ(index.error().reason, Reason("coreml.blob_table"));
    }
    const auto cut = read(espressoNetwork, weights.substr(0, weights.size() - 10));
    ASSERT_TRUE(cut);
    EXPECT_FALSE(find(cut->model, "q.per_ch_qscale")->isReadable());
    EXPECT_TRUE(find(cut->model, "c1.weights")->isReadable());
    const auto longer = read(espressoNetwork, weights + "x");
    ASSERT_TRUE(longer);
    EXPECT_TRUE(std::ranges::any_of(longer->model.problems, [](const Problem& p) { return p.code == Reason("coreml.trailing"); }));
}

TEST(CoreMl, ACompressedCompiledNetworkIsRefused) {
    const test::TemporaryFolder folder;
    folder.file("a.mlmodelc/model.espresso.net", "pbzx");
    EXPECT_FALSE(openCompiled(folder.path() / "a.mlmodelc", {})); // without weights
    folder.file("a.mlmodelc/model.espresso.weights", espressoWeights());
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

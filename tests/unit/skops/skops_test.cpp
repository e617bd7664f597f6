// SPDX-License-Identifier: MIT
#include "core/formats/skops/skops.h"

#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::skops {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

std::string npy(const std::string& type, const std::string& shape, const std::string& values) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(118, ' ');
    return "\x93NUMPY\x01\0v\0"s + header + values;
}

Result<Model> load(const std::string& bytes) {
    const formats::Sources sources{std::make_shared<io::MemorySource>("a.skops", test::toBytes(bytes))};
    WB_TRY_ASSIGN(auto index, readIndex(sources, {}, {}));
    return formats::modelFromIndex(std::move(index), sources, unpack);
}

constexpr const char* schema = R"({"__class__": "Pipeline", "__module__": "sklearn.pipeline", "__loader__": "ObjectNode", "content":
 {"__class__": "dict", "__module__": "builtins", "__loader__": "DictNode", "content": {
  "steps": {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": [
   {"__class__": "tuple", "__module__": "builtins", "__loader__": "TupleNode", "content": [
    {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": "\"scale\"", "is_json": true, "__id__": 1},
    {"__class__": "StandardScaler", "__module__": "sklearn.preprocessing._data", "__loader__": "ObjectNode", "content":
     {"__class__": "dict", "__module__": "builtins", "__loader__": "DictNode", "content": {
      "mean_": {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode", "type": "numpy", "file": "7.npy", "__id__": 7},
      "again": {"__class__": "ndarray", "__module__": "numpy", "__loader__": "CachedNode", "cached": true, "__id__": 7},
      "list": {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": [
       {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode", "type": "numpy", "file": "8.npy", "__id__": 8}]}}}}]}]}}},
 "protocol": 2, "_skops_version": "0.11.0"})";

std::string archive(bool isDeflated, const std::string& text = schema) {
    return test::makeZip({{.name = "7.npy", .content = npy("<f4", "(2,)", "\0\0\x80\x3F\0\0\0\x40"s), .deflate = isDeflated},
                          {.name = "8.npy", .content = npy(">i2", "(2,)", "\0\x01\0\x02"s), .deflate = isDeflated},
                          {.name = "schema.json", .content = text, .deflate = isDeflated}});
}

TEST(Skops, TheFixtureHoldsWhatItsMakerSays) {
    WB_NEED_SHARED("fixtures/runtime/sklearn/pipeline.skops");
    const auto model = open(test::shared() / "fixtures/runtime/sklearn/pipeline.skops", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(test::expectTruth(**model, "runtime/sklearn/pipeline.skops"), 0u);
    EXPECT_EQ((*model)->format, FormatId::Skops);
    EXPECT_EQ((*model)->danger->verdict(), Verdict::Clean);
}

TEST(Skops, ArraysStandUnderTheirNames) {
    for (const bool isDeflated : {false, true}) {
        const auto model = load(archive(isDeflated));
        ASSERT_TRUE(model) << model.error().message();
        ASSERT_EQ(model->tensors.size(), 2u);
        EXPECT_EQ(model->tensors[0].name, "scale.mean_");
        EXPECT_THAT(model->tensors[0].details->aliases, testing::ElementsAre("scale.again"));
        EXPECT_EQ(model->tensors[0].details->member, "7.npy");
        EXPECT_EQ(model->tensors[1].name, "scale.list.0");
        EXPECT_EQ(model->version, "protocol 2");
        for (const TensorInfo& tensor : model->tensors) {
            const auto reader = TensorReader::open(*model, tensor);
            ASSERT_TRUE(reader) << reader.error().message();
            std::vector<float> values(2);
            std::vector<std::byte> scratch;
            ASSERT_TRUE(reader->readF32(0, values, scratch));
            EXPECT_THAT(values, testing::ElementsAre(1, 2)) << tensor.name << isDeflated;
        }
    }
}

TEST(Skops, DamageIsSaidAndTheRestIsShown) {
    const std::string text = schema;
    const auto cut = load(archive(false, text.substr(0, text.find("\"again\""))));
    ASSERT_TRUE(cut) << cut.error().message();
    EXPECT_EQ(cut->tensors.size(), 1u);
    ASSERT_FALSE(cut->problems.empty());
    EXPECT_THAT(cut->problems.front().message(), HasSubstr("schema.json"));
    EXPECT_NE(cut->danger->verdict(), Verdict::Clean);
    std::string missing = text;
    missing.replace(missing.find("8.npy"), 5, "9.npy");
    const auto without = load(archive(false, missing));
    ASSERT_TRUE(without) << without.error().message();
    EXPECT_EQ(without->tensors.size(), 1u);
    EXPECT_THAT(without->problems.front().message(), HasSubstr("9.npy"));
    for (const std::string& bytes : {test::makeZip({{.name = "a.npy", .content = ""}}), "PK\x03\x04"s, ""s}) {
        const auto model = load(bytes);
        ASSERT_FALSE(model);
        EXPECT_THAT(model.error().message(), HasSubstr("a.skops"));
    }
}

TEST(Skops, IsCutAtEveryByteWithoutHarm) {
    const std::string whole = archive(true);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto model = load(whole.substr(0, length));
        if (!model) continue;
        for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
    }
}

TEST(Skops, TheSchemaIsWalkedAsItsLoaderReadsIt) {
    ScannedFile file;
    judge(R"({"a": NaN, "__cl\u0061ss__": "Evil", "__module__": "some.where"})", file);
    EXPECT_EQ(file.level, DangerLevel::C);
    EXPECT_FALSE(file.isIncomplete);
    ASSERT_EQ(file.globals.size(), 1u);
    EXPECT_EQ(file.globals[0].name, "Evil");
}

} // namespace
} // namespace wb::skops

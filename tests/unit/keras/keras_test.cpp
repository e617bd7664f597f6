// SPDX-License-Identifier: MIT
#include "core/formats/keras/keras.h"

#include "core/formats/hdf5/hdf5.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace wb::keras {
namespace {

using testing::HasSubstr;

formats::Sources bytesSource(std::vector<std::byte> bytes) {
    return {std::make_shared<io::MemorySource>("a.h5", std::move(bytes))};
}

// As the worker does, in this process.
Result<Model> load(std::vector<std::byte> bytes, formats::Strictness strictness = formats::Strictness::Lenient) {
    const auto sources = bytesSource(std::move(bytes));
    formats::OpenOptions options;
    options.strictness = strictness;
    WB_TRY_ASSIGN(auto index, readIndex(sources, {}, options));
    return formats::modelFromIndex(std::move(index), sources, unpack);
}

std::vector<float> modelValues(const Model& model, const std::string& name) {
    const auto tensor = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (tensor == model.tensors.end()) return {};
    const auto reader = TensorReader::open(model, *tensor);
    if (!reader) return {};
    std::vector<float> values(reader->elements());
    std::vector<std::byte> scratch;
    if (!reader->readF32(0, values, scratch)) return {};
    return values;
}

const TensorInfo& modelTensor(const Model& model, const std::string& name) {
    const auto tensor = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (tensor == model.tensors.end()) throw std::runtime_error(name);
    return *tensor;
}

TEST(Keras, Fixtures) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const auto folder = test::shared() / "fixtures/tensorflow";
    const auto expect = [&](const std::string& name, const Result<ModelPtr>& model, FormatId format) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, "tensorflow/" + name), 0u);
        EXPECT_EQ((*model)->format, format);
        EXPECT_EQ((*model)->danger->verdict(), Verdict::Clean);
        for (const Problem& problem : (*model)->problems) EXPECT_NE(problem.severity, Severity::Error) << problem.message();
    };
    for (const char* name : {"conv.h5", "text.h5"}) expect(name, open(folder / name, {}), FormatId::KerasH5);
    for (const char* name : {"conv.weights.h5", "text.weights.h5", "layouts.h5"})
        expect(name, open(folder / name, {}), FormatId::Hdf5);
    for (const char* name : {"conv.keras", "text.keras", "bf16.keras", "int8.keras"})
        expect(name, openArchive(folder / name, {}), FormatId::Keras);
    expect("text_sharded", openShards(folder / "text_sharded/text_sharded.weights.json", {}), FormatId::Keras);
}

TEST(Keras, NamesOfOneDatasetAreAliases) {
    WB_NEED_SHARED("fixtures/tensorflow/layouts.h5");
    const auto model = load(test::readFile(test::shared() / "fixtures/tensorflow/layouts.h5"));
    ASSERT_TRUE(model) << model.error().message();
    const TensorInfo& inner = modelTensor(*model, "group/inner");
    ASSERT_TRUE(inner.details);
    EXPECT_THAT(inner.details->aliases, testing::ElementsAre("hard_link"));
    EXPECT_NE(inner.details->isRepeated, modelTensor(*model, "hard_link").details->isRepeated);
    const auto isSoft = [](const Problem& problem) {
        return problem.code == Reason("hdf5.link") && problem.message().find("soft") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(model->problems, isSoft));
}

TEST(Keras, InputsOutputsAndLayersAreMetadata) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const auto folder = test::shared() / "fixtures/tensorflow";
    for (const auto& model : {openArchive(folder / "conv.keras", {}), open(folder / "conv.h5", {})}) {
        ASSERT_TRUE(model) << model.error().message();
        SCOPED_TRACE((*model)->path);
        const ValueObject& metadata = (*model)->metadata;
        ASSERT_TRUE(metadata.find("inputs") && metadata.find("outputs") && metadata.find("operators"));
        EXPECT_EQ(summary(*metadata.find("inputs")), R"(["image: float32 [?, 8, 8, 2]"])");
        EXPECT_EQ(summary(*metadata.find("outputs")), R"(["head"])");
        EXPECT_EQ(metadata.find("operators")->object()->find("Conv2D")->unsignedNumber(), 1u);
        EXPECT_FALSE(metadata.find("operators")->object()->find("GlorotUniform")) << "not a layer";
    }
}

TEST(Keras, Series) {
    WB_NEED_SHARED("corpus/keras_series");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "corpus/keras_series")) {
        const auto model = load(test::readFile(entry.path()));
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(model->tensors.size(), 185u);
        EXPECT_EQ(std::ranges::count_if(model->tensors, [](const TensorInfo& t) { return t.name.starts_with("model_weights/"); }),
                  80);
        EXPECT_EQ(model->version, "2.0.5");
        if (entry.path().filename().string().find(".00-") != std::string::npos) {
            EXPECT_THAT(modelValues(*model, "optimizer_weights/iterations_1:0"), testing::ElementsAre(898));
        }
        ++files;
    }
    EXPECT_EQ(files, 6u);
}

TEST(Keras, LambdaLayersAreCode) {
    WB_NEED_SHARED("corpus/modelaudit");
    const auto model = load(test::readFile(test::shared() / "corpus/modelaudit/tests/assets/samples/keras/malicious_lambda.h5"));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(model->danger->verdict(), Verdict::Dangerous);
    EXPECT_EQ(model->danger->level(), DangerLevel::D);
}

TEST(Keras, ForeignClassesAreNamed) {
    WB_NEED_SHARED("corpus/keras3");
    const auto model = openArchive(test::shared() / "corpus/keras3/pre_pr22362_nested_container.keras", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->tensors.size(), 5u);
    const auto isForeign = [](const Problem& problem) { return problem.code == Reason("keras.foreign_class"); };
    EXPECT_TRUE(std::ranges::any_of((*model)->problems, isForeign));
    EXPECT_EQ((*model)->danger->verdict(), Verdict::Clean);
}

// Written by h5py with libver="latest": groups in fractal heaps, layout version 4 with all of its chunk indices but one.
TEST(Hdf5, NewFormats) {
    const auto model = load(test::readFile(test::data() / "hdf5/latest.h5"));
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ(model->version, "9.9");
    for (int i = 0; i < 40; ++i) EXPECT_THAT(modelValues(*model, fmt::format("many/n{:02}", i)), testing::ElementsAre(i, i));
    const Value* attributes = model->metadata.find("many");
    ASSERT_TRUE(attributes && attributes->object());
    EXPECT_EQ(attributes->object()->members.size(), 12u);
    EXPECT_EQ(attributes->object()->find("a11")->number(), 11.0);
    EXPECT_THAT(modelValues(*model, "few/x"), testing::ElementsAre(0, 1, 2, 3, 4, 5));
    std::vector<float> counted(120);
    std::iota(counted.begin(), counted.end(), 0.0F);
    for (const char* name : {"single", "fixed", "fixed_filtered", "tree", "tree_filtered"})
        EXPECT_EQ(modelValues(*model, std::string("chunks/") + name), counted) << name;
    EXPECT_EQ(modelValues(*model, "chunks/never"), std::vector<float>(16, 2.5F));
    const auto paged = modelValues(*model, "chunks/paged");
    ASSERT_EQ(paged.size(), 3000u);
    for (std::size_t i = 0; i < paged.size(); ++i) ASSERT_EQ(paged[i], static_cast<float>(i % 251)) << i;
    EXPECT_EQ(modelTensor(*model, "chunks/complex").dtype, Dtype::C64);
    EXPECT_EQ(modelTensor(*model, "chunks/extensible").source.form(), TensorSource::Form::Unavailable) << "said, not guessed";
}

TEST(Hdf5, OpensNothingElseAndBelievesNoShape) {
    const auto model = load(test::readFile(test::data() / "hdf5/hostile.h5"));
    ASSERT_TRUE(model) << model.error().message();
    const TensorInfo& outside = modelTensor(*model, "outside");
    EXPECT_EQ(outside.source.form(), TensorSource::Form::Unavailable);
    EXPECT_THAT(outside.source.unavailableWhy(), HasSubstr("another file"));
    EXPECT_THAT(modelTensor(*model, "huge").source.unavailableWhy(), HasSubstr("implausible"));
    EXPECT_EQ(modelTensor(*model, "bomb").shape.elements(), 0u);
    std::size_t links = 0;
    for (const Problem& problem : model->problems) links += problem.code == Reason("hdf5.link") ? 1 : 0;
    EXPECT_EQ(links, 2u) << "an external and a soft one";
    EXPECT_LT(model->tensors.size(), 10u) << "a group that holds itself is entered once";
}

void touch(const Model& model) {
    std::vector<std::byte> scratch;
    for (const TensorInfo& tensor : model.tensors) {
        const auto reader = TensorReader::open(model, tensor);
        if (!reader) continue;
        std::vector<float> values(std::min<std::uint64_t>(reader->elements(), 64));
        (void)reader->readF32(0, values, scratch);
    }
}

TEST(Hdf5, IsCutAndBentWithoutHarm) {
    for (const char* name : {"latest.h5", "hostile.h5"}) {
        const auto whole = test::readFile(test::data() / "hdf5" / name);
        for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 150) {
            const auto model = load({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
            if (model) {
                touch(*model);
            } else {
                EXPECT_THAT(model.error().message(), HasSubstr("a.h5"));
            }
        }
        unsigned random = 7;
        for (int round = 0; round < 300; ++round) {
            auto bent = whole;
            for (int i = 0; i < 4; ++i) {
                random = random * 1664525u + 1013904223u;
                bent[(random >> 8) % std::min<std::size_t>(bent.size(), 6000)] = static_cast<std::byte>(random >> 3);
            }
            if (const auto model = load(std::move(bent))) touch(*model);
        }
    }
}

TEST(Hdf5, StrictRefusesWhatIsDamaged) {
    auto bytes = test::readFile(test::data() / "hdf5/latest.h5");
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    bytes[text.find("FRHP")] = std::byte{'X'};
    ASSERT_TRUE(load(bytes));
    const auto strict = load(bytes, formats::Strictness::Strict);
    ASSERT_FALSE(strict);
    EXPECT_EQ(strict.error().code, ErrorCode::Malformed);
    EXPECT_THAT(strict.error().message(), HasSubstr("a.h5"));
}

TEST(Hdf5, ADamagedChunkIsAnErrorOfItsTensor) {
    auto bytes = test::readFile(test::data() / "hdf5/latest.h5");
    const auto sources = bytesSource(bytes);
    const auto found = readIndex(sources, {}, {});
    ASSERT_TRUE(found);
    hdf5::Dataset broken;
    broken.type.bytes = 4;
    broken.shape = broken.chunkShape = {4};
    broken.layout = hdf5::Dataset::Layout::Chunked;
    broken.filters = {{hdf5::deflateFilter, 0, "deflate"}};
    broken.chunks = {{100, 16, 0, {0}}};
    std::vector<std::byte> out(16);
    const auto read = unpack(*sources[0], hdf5::unpackSpec(broken), 0, out);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message(), HasSubstr("a.h5"));
    EXPECT_FALSE(unpack(*sources[0], test::toBytes("nonsense"), 0, out));
}

} // namespace
} // namespace wb::keras

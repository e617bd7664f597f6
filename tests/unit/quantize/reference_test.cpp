// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "tests/unit/quantize/small_model.h"

#include <gmock/gmock.h>

// Files at the edge of the format become what llama-quantize v0.5.0 makes of them.
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

using Pairs = std::vector<gguf::StoredPair>;

const Shape matrix = *Shape::make({4, 256});

Pairs llama() {
    return {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 2u),
            gguf::makePair("llama.attention.head_count", 4u)};
}

Pairs llamaAnd(gguf::StoredPair pair) {
    Pairs pairs = llama();
    gguf::setPair(pairs, std::move(pair));
    return pairs;
}

// What planning says to a model with these pairs.
std::string pairsRefusal(const Pairs& pairs, quant::FileType type = quant::FileType::Q4_K_M) {
    const test::TemporaryFolder folder;
    QuantizeRequest request;
    request.mix.fileType = type;
    const auto plan =
        planQuantize(openStrict(writeModel(folder, "in.gguf", pairs, {{"output.weight", matrix, Dtype::F32}})), request);
    return plan ? "" : plan.error().message();
}

TEST(LikeTheReference, NamesKeepTheirBytesAndSortByThem) {
    const test::TemporaryFolder folder;
    // As stored, the first sorts after the others; as shown, both end in the same replacement character.
    const auto in = writeModel(
        folder, "in.gguf", llama(),
        {{"x\xff.weight", matrix, Dtype::F32}, {"x\xfe.weight", matrix, Dtype::F32}, {"x\u00e9.weight", matrix, Dtype::F32}});
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q8_0;
    request.mix.rules = {{"\xfe", Dtype::Q4_0}};
    const auto plan = planQuantize(openStrict(in), request);
    ASSERT_TRUE(plan) << plan.error().message();
    ASSERT_TRUE(runQuantize(*plan, folder.path() / "out.gguf", {}, {}));
    const ModelPtr written = openStrict(folder.path() / "out.gguf");
    ASSERT_TRUE(written);
    std::vector<std::string> names;
    for (const TensorInfo& tensor : written->tensors) names.push_back(tensor.storedName());
    EXPECT_THAT(names, ElementsAre("x\u00e9.weight", "x\xfe.weight", "x\xff.weight"));
    EXPECT_EQ(written->tensors[1].dtype, Dtype::Q4_0);
    EXPECT_EQ(written->tensors[2].dtype, Dtype::Q8_0);
}

TEST(LikeTheReference, AnImportanceMatrixIsNoModel) {
    EXPECT_THAT(pairsRefusal({gguf::makePair("general.type", std::string_view("imatrix"))}), HasSubstr("is an importance matrix"));
    EXPECT_EQ(pairsRefusal(llamaAnd(gguf::makePair("general.type", std::string_view("model")))), "");
}

TEST(LikeTheReference, AVocabularyAloneGetsTheNewPairs) {
    const test::TemporaryFolder folder;
    const QuantizePlan plan = planFile(writeModel(folder, "in.gguf", llama(), {}), quant::FileType::IQ1_S);
    const auto outcome = runQuantize(plan, folder.path() / "out.gguf", {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    Pairs pairs = llama();
    pairs.push_back(gguf::makePair("general.quantization_version", 2u));
    pairs.push_back(gguf::makePair("general.file_type", 24u));
    const auto bytes = test::readFile(folder.path() / "out.gguf");
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), gguf::layOut(pairs, {})->header);
}

TEST(LikeTheReference, AFileWithNeitherModelNorTensorsIsRefused) {
    const test::TemporaryFolder folder;
    const auto plan = planQuantize(openStrict(writeModel(folder, "in.gguf", {}, {})), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, Reason("quantize.no_tensors"));
}

TEST(LikeTheReference, ASingleFileThatKeepsItsSplitIsNamedAsOne) {
    const test::TemporaryFolder folder;
    const auto in = writeSmallModel(folder, 1);
    EXPECT_THAT(targetPaths(planFile(in, quant::FileType::Q8_0, true), "out.gguf"),
                ElementsAre(fs::path("out-00001-of-00001.gguf")));
    EXPECT_THAT(targetPaths(planFile(in, quant::FileType::Q8_0), "out.gguf"), ElementsAre(fs::path("out.gguf")));
}

// The reference counts parts up to the last one with tensors.
TEST(LikeTheReference, PartsAfterTheLastTensorAreDropped) {
    const test::TemporaryFolder folder;
    const auto in = writeSplitModel(folder, 1, 2);
    Pairs pairs = gguf::readStoredPairs(**io::FileSource::open(in)).value();
    gguf::setPair(pairs, gguf::makePair("split.tensors.count", 1));
    const std::vector<gguf::WrittenTensor> one = {{"output.weight", matrix, Dtype::F32}};
    writeModel(folder, "split-00001-of-00002.gguf", pairs, one);
    writeModel(folder, "split-00002-of-00002.gguf",
               {gguf::makePair("split.no", std::uint16_t{1}), gguf::makePair("split.count", std::uint16_t{2})}, {});
    const QuantizePlan plan = planFile(in, quant::FileType::Q8_0, true);
    EXPECT_EQ(plan.files.size(), 1u);
}

TEST(LikeTheReference, KeysOfAnotherTypeAreRefused) {
    const std::string_view text = "4";
    EXPECT_THAT(pairsRefusal({gguf::makePair("general.architecture", 4u)}),
                HasSubstr("general.architecture as u32 instead of string"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("general.file_type", text))),
                HasSubstr("general.file_type as string instead of u32"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("split.count", 1u))), HasSubstr("split.count as u32 instead of u16"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.block_count", std::uint16_t{2}))),
                HasSubstr("llama.block_count as u16"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.attention.head_count", 4))),
                HasSubstr("llama.attention.head_count as i32"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.attention.head_count_kv", text))),
                HasSubstr("head_count_kv as string"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.expert_count", text))), HasSubstr("llama.expert_count as string"));
    EXPECT_EQ(pairsRefusal(llama()), "");
}

TEST(LikeTheReference, ImpossibleCountsAreRefused) {
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.block_count", 0u))), HasSubstr("only 1 to 512"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.block_count", 513u))), HasSubstr("only 1 to 512"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.nextn_predict_layers", 3u))), HasSubstr("only 0 to 2"));
    EXPECT_THAT(pairsRefusal(llamaAnd(gguf::makePair("llama.expert_count", 1025u))), HasSubstr("only 0 to 1024"));
}

std::vector<KeyOverride> textsOverrides(const std::vector<std::string>& texts) {
    std::vector<KeyOverride> overrides;
    for (const std::string& text : texts) {
        auto override = parseKeyOverride(text);
        EXPECT_TRUE(override) << text;
        if (override) overrides.push_back(std::move(*override));
    }
    return overrides;
}

TEST(LikeTheReference, OverridesAreSetLast) {
    const test::TemporaryFolder folder;
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q8_0;
    request.overrides =
        textsOverrides({"a=int:-3", "b=float:1.5", "llama.block_count=int:2", "c=bool:true", "d=str:x=int:4", "a=int:7"});
    const auto plan = planQuantize(openStrict(writeModel(folder, "in.gguf", llama(), {})), request);
    ASSERT_TRUE(plan) << plan.error().message();
    Pairs pairs = llama();
    pairs.push_back(gguf::makePair("general.quantization_version", 2u));
    pairs.push_back(gguf::makePair("general.file_type", 7u));
    gguf::setPair(pairs, gguf::makePair("b", 1.5f));
    gguf::setPair(pairs, gguf::makePair("llama.block_count", 2u));
    gguf::setPair(pairs, gguf::makeTruthPair("c", true));
    gguf::setPair(pairs, gguf::makePair("d", std::string_view("x=int:4")));
    gguf::setPair(pairs, gguf::makePair("a", 7u));
    EXPECT_EQ(plan->files[0].header, gguf::layOut(pairs, {})->header);
}

// What the model is read by stays the text that is stored.
TEST(LikeTheReference, ANumberInPlaceOfATextIsOnlyWritten) {
    const test::TemporaryFolder folder;
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q8_0;
    request.overrides = textsOverrides({"general.architecture=int:12"});
    const auto plan = planQuantize(openStrict(writeModel(folder, "in.gguf", llama(), {})), request);
    ASSERT_TRUE(plan) << plan.error().message();
    Pairs pairs = llama();
    pairs.push_back(gguf::makePair("general.quantization_version", 2u));
    pairs.push_back(gguf::makePair("general.file_type", 7u));
    gguf::setPair(pairs, gguf::makePair("general.architecture", 12u));
    EXPECT_EQ(plan->files[0].header, gguf::layOut(pairs, {})->header);
}

TEST(LikeTheReference, OverridesDecideAboutTheMix) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeModel(folder, "in.gguf", llama(), {{"blk.0.attn_v.weight", matrix, Dtype::F32}}));
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q2_K;
    EXPECT_EQ(planQuantize(model, request)->tensors[0].to, Dtype::Q3_K);
    request.overrides = textsOverrides({"llama.expert_count=int:8"});
    EXPECT_EQ(planQuantize(model, request)->tensors[0].to, Dtype::Q8_0);
}

QuantizeRequest requestFor(const std::vector<std::string>& overrides, std::set<std::uint32_t> prune = {}) {
    QuantizeRequest request;
    request.overrides = textsOverrides(overrides);
    request.prune = std::move(prune);
    return request;
}

// Where a number was asked for that no loader takes, the file is not to blame.
TEST(LikeTheReference, ImpossibleOverridesAreNamed) {
    const test::TemporaryFolder folder;
    for (const char* text : {"llama.block_count=int:-1", "llama.expert_count=int:2000"}) {
        const auto plan = planQuantize(openStrict(writeModel(folder, "in.gguf", llama(), {})), requestFor({text}));
        ASSERT_FALSE(plan);
        EXPECT_THAT(plan.error().message(), HasSubstr(text));
        EXPECT_THAT(plan.error().message(), testing::Not(HasSubstr("convert the model again")));
    }
    const auto broken =
        planQuantize(openStrict(writeModel(folder, "in.gguf", llamaAnd(gguf::makePair("llama.expert_count", 2000u)), {})),
                     requestFor({"a=int:1"}));
    EXPECT_THAT(broken.error().message(), HasSubstr("llama.expert_count is 2000"));
}

std::vector<std::string> planNotes(const QuantizePlan& plan) {
    std::vector<std::string> notes;
    for (const Problem& problem : plan.problems)
        notes.push_back(fmt::format("{}: {}", severityName(problem.severity), problem.message()));
    return notes;
}

TEST(LikeTheReference, WhatIsNotedIsWritten) {
    const test::TemporaryFolder folder;
    const ModelPtr model = openStrict(writeSmallModel(folder, 1));
    const auto set = planQuantize(model, requestFor({"a=int:1", "b=str:x", "a=int:-2"}));
    EXPECT_THAT(planNotes(*set), ElementsAre("note: The new file contains b=str:x, as requested.",
                                             "note: The new file contains a=int:2, as requested."));
    const auto pruned = planQuantize(model, requestFor({}, {99}));
    EXPECT_THAT(planNotes(*pruned), ElementsAre("warning: small.gguf does not have these layers to prune: 99."));
    const auto some = planQuantize(openStrict(writeSmallModel(folder, 3)), requestFor({}, {1, 7}));
    EXPECT_THAT(planNotes(*some), ElementsAre("note: Layers removed from small.gguf, as requested: 1.",
                                              "warning: small.gguf does not have these layers to prune: 7."));
}

TEST(LikeTheReference, OtherTypesHaveAWayOut) {
    const test::TemporaryFolder folder;
    const auto plan =
        planQuantize(openStrict(writeModel(folder, "in.gguf", llama(), {{"blk.0.ffn_up.weight", matrix, Dtype::I32}})), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, Reason("quantize.source_type"));
}

TEST(LikeTheReference, OnlyRealOverridesAreTaken) {
    for (const char* text :
         {"a", "=int:1", "a=int:", "a=int:x", "a=u8:1", "a=bool:1", "a=float:", "general.alignment=int:64", "split.no=int:1"})
        EXPECT_FALSE(parseKeyOverride(text)) << text;
    EXPECT_FALSE(parseKeyOverride("a=str:" + std::string(128, 'x')));
    EXPECT_TRUE(parseKeyOverride("a=str:" + std::string(127, 'x')));
}

TEST(LikeTheReference, PrunedLayersLeaveNoGap) {
    const test::TemporaryFolder folder;
    const auto in = writeSmallModel(folder, 4);
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q8_0;
    request.prune = {1, 2, 9};
    const auto plan = planQuantize(openStrict(in), request);
    ASSERT_TRUE(plan) << plan.error().message();
    ASSERT_TRUE(runQuantize(*plan, folder.path() / "out.gguf", {}, {}));
    const ModelPtr written = openStrict(folder.path() / "out.gguf");
    ASSERT_TRUE(written);
    EXPECT_EQ(*written->metadata.find("llama.block_count")->unsignedNumber(), 2u);
    EXPECT_EQ(written->metadata.members.back().key, "llama.block_count");
    ASSERT_EQ(written->tensors.size(), 8u);
    EXPECT_EQ(written->tensors[5].name, "blk.1.attn_v.weight");
    request.prune.clear();
    const auto whole = planQuantize(openStrict(in), request);
    ASSERT_TRUE(runQuantize(*whole, folder.path() / "whole.gguf", {}, {}));
    const auto bytesOf = [](const fs::path& path, const PlannedTensor& tensor) {
        const auto file = test::readFile(path);
        return std::vector(file.begin() + static_cast<std::ptrdiff_t>(tensor.offset),
                           file.begin() + static_cast<std::ptrdiff_t>(tensor.offset + tensor.bytes));
    };
    EXPECT_EQ(bytesOf(folder.path() / "out.gguf", plan->tensors[5]), bytesOf(folder.path() / "whole.gguf", whole->tensors[11]));
}

// What the matrix says of a layer follows it to its new number.
TEST(LikeTheReference, PrunedModelsKeepTheirMatrix) {
    const test::TemporaryFolder folder;
    QuantizeRequest request;
    request.mix.fileType = quant::FileType::Q4_K_M;
    request.prune = {0};
    request.matrix = makeMatrix(folder, "m.dat", {{"blk.1.ffn_up.weight", std::vector<float>(256, 2.0f)}});
    const auto plan = planQuantize(openStrict(writeSmallModel(folder, 2)), request);
    ASSERT_TRUE(plan) << plan.error().message();
    for (const PlannedTensor& tensor : plan->tensors)
        EXPECT_EQ(!tensor.weights.empty(), plan->model->tensors[tensor.source].name == "blk.0.ffn_up.weight");
}

} // namespace
} // namespace wb::quantize

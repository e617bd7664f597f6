// SPDX-License-Identifier: MIT
#include "core/arch/family.h"
#include "core/arch/model_spec.h"
#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace wb::arch {
namespace {

using ::testing::HasSubstr;

ModelSpec specAt(const std::filesystem::path& path) {
    const auto model = formats::open(path, {});
    EXPECT_TRUE(model) << model.error().message();
    if (!model) return {};
    const auto spec = readSpec(**model);
    EXPECT_TRUE(spec) << path << ": " << spec.error().message();
    return spec.value_or(ModelSpec{});
}

void expectSameLayers(const ModelSpec& a, const ModelSpec& b) {
    ASSERT_EQ(a.layers.size(), b.layers.size());
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        SCOPED_TRACE(i);
        const LayerSpec& x = a.layers[i];
        const LayerSpec& y = b.layers[i];
        EXPECT_EQ(x.recurrence, y.recurrence);
        EXPECT_EQ(x.heads, y.heads);
        EXPECT_EQ(x.kvHeads, y.kvHeads);
        EXPECT_EQ(x.keyLength, y.keyLength);
        EXPECT_EQ(x.valueLength, y.valueLength);
        EXPECT_EQ(x.window, y.window);
        EXPECT_EQ(x.cacheLayer, y.cacheLayer);
        EXPECT_EQ(x.ropeDimensions, y.ropeDimensions);
        EXPECT_EQ(x.ropeBase, y.ropeBase);
        EXPECT_EQ(x.feedForward, y.feedForward);
        EXPECT_EQ(x.expertsUsed, y.expertsUsed);
        EXPECT_EQ(x.expertWidth, y.expertWidth);
        EXPECT_EQ(x.sharedExpertWidth, y.sharedExpertWidth);
        EXPECT_EQ(x.predictsAhead, y.predictsAhead);
    }
}

void expectSameRope(const RopeSpec& a, const RopeSpec& b) {
    EXPECT_EQ(a.style, b.style);
    EXPECT_EQ(a.sections, b.sections);
    EXPECT_EQ(a.scaling, b.scaling);
    EXPECT_EQ(a.factor, b.factor);
    EXPECT_EQ(a.originalContext, b.originalContext);
    EXPECT_EQ(a.attentionFactor, b.attentionFactor);
    EXPECT_EQ(a.yarnExtFactor, b.yarnExtFactor);
    EXPECT_EQ(a.yarnBetaFast, b.yarnBetaFast);
    EXPECT_EQ(a.yarnBetaSlow, b.yarnBetaSlow);
    EXPECT_EQ(a.yarnLogMultiplier, b.yarnLogMultiplier);
    EXPECT_EQ(a.hasFactors, b.hasFactors);
}

void expectSameExperts(const ExpertSpec& a, const ExpertSpec& b) {
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.shared, b.shared);
    EXPECT_EQ(a.leadingDense, b.leadingDense);
    EXPECT_EQ(a.groups, b.groups);
    EXPECT_EQ(a.groupsUsed, b.groupsUsed);
    EXPECT_EQ(a.gating, b.gating);
    EXPECT_EQ(a.normalizesWeights, b.normalizesWeights);
    EXPECT_EQ(a.weightScale, b.weightScale);
    EXPECT_EQ(a.latentWidth, b.latentWidth);
}

void expectSame(ModelSpec a, ModelSpec b) {
    EXPECT_EQ(a.architecture, b.architecture);
    EXPECT_NE(a.family, nullptr);
    EXPECT_EQ(a.blockCount, b.blockCount);
    EXPECT_EQ(a.predictionLayers, b.predictionLayers);
    EXPECT_EQ(a.headCount, b.headCount);
    EXPECT_EQ(a.kvHeadCount, b.kvHeadCount);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.vocabulary, b.vocabulary);
    EXPECT_EQ(a.context, b.context);
    EXPECT_EQ(a.tiedEmbeddings, b.tiedEmbeddings);
    EXPECT_EQ(a.causal, b.causal);
    EXPECT_EQ(a.parallelResidual, b.parallelResidual);
    EXPECT_EQ(a.norm, b.norm);
    EXPECT_EQ(a.normPlacement, b.normPlacement);
    EXPECT_EQ(a.normEpsilon, b.normEpsilon);
    EXPECT_EQ(a.activation, b.activation);
    EXPECT_EQ(a.gatedFeedForward, b.gatedFeedForward);
    EXPECT_EQ(a.window, b.window);
    EXPECT_EQ(a.latent, b.latent);
    EXPECT_EQ(a.indexer, b.indexer);
    EXPECT_EQ(a.streams, b.streams);
    EXPECT_EQ(a.ngrams.layers, b.ngrams.layers);
    EXPECT_EQ(a.ngrams.size, b.ngrams.size);
    EXPECT_EQ(a.ngrams.headsEach, b.ngrams.headsEach);
    EXPECT_EQ(a.ngrams.length, b.ngrams.length);
    EXPECT_EQ(a.ngrams.convolution, b.ngrams.convolution);
    EXPECT_EQ(a.ngrams.endToken, b.ngrams.endToken);
    EXPECT_EQ(a.recurrent, b.recurrent);
    EXPECT_EQ(a.perLayerInput, b.perLayerInput);
    EXPECT_EQ(a.attentionScale, b.attentionScale);
    EXPECT_EQ(a.attentionSoftcap, b.attentionSoftcap);
    EXPECT_EQ(a.finalSoftcap, b.finalSoftcap);
    EXPECT_EQ(a.temperatureScale, b.temperatureScale);
    EXPECT_EQ(a.temperatureContext, b.temperatureContext);
    EXPECT_EQ(a.temperatureOffset, b.temperatureOffset);
    EXPECT_EQ(a.temperatureOfRopeless, b.temperatureOfRopeless);
    EXPECT_EQ(a.embeddingScale, b.embeddingScale);
    EXPECT_EQ(a.residualScale, b.residualScale);
    EXPECT_EQ(a.logitScale, b.logitScale);
    expectSameRope(a.rope, b.rope);
    expectSameExperts(a.experts, b.experts);
    expectSameLayers(a, b);
}

// Files of mistral4 lack the temperature that its folders state.
const std::set<std::string> incomplete = {"mistral4"};

TEST(ModelSpec, IsTheSameFromGgufAndConfig) {
    WB_NEED_SHARED("arch/README.md");
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "arch")) {
        if (!entry.is_directory() || incomplete.contains(entry.path().filename().string())) continue;
        SCOPED_TRACE(entry.path().filename().string());
        const ModelSpec gguf = specAt(entry.path() / "model.gguf");
        ModelSpec folder = specAt(entry.path() / "hf");
        // The converter gives models with a state space, which know no end of their context, always the same one.
        if (gguf.architecture == "granitehybrid" || gguf.architecture.starts_with("nemotron_h")) {
            EXPECT_EQ(gguf.context, 1'048'576u);
            EXPECT_EQ(folder.context, 512u);
            folder.context = folder.rope.originalContext = gguf.context;
        }
        expectSame(gguf, folder);
        ++compared;
    }
    EXPECT_GE(compared, 51);
}

Model ggufFromArchitecture(const std::string& architecture, std::initializer_list<std::pair<const char*, Value>> keys) {
    Model model;
    model.format = FormatId::Gguf;
    model.path = "m.gguf";
    model.architecture = architecture;
    for (const auto& [key, value] : keys) model.metadata.members.push_back({architecture + "." + key, value});
    return model;
}

Value u32(std::uint64_t n) { return Value::ofUnsigned(ValueType::U32, n); }

Value numbersList(std::initializer_list<std::uint64_t> numbers) {
    ValueArray array;
    array.elementType = ValueType::U32;
    array.count = numbers.size();
    for (const std::uint64_t n : numbers) array.first.push_back(u32(n));
    return Value::of(std::move(array));
}

std::string modelRefusal(const Model& model) {
    const auto spec = readSpec(model);
    return spec ? "" : spec.error().message();
}

TEST(ModelSpec, HasNoLayersWhereNoneAreStated) {
    const auto spec = readSpec(ggufFromArchitecture("flux", {}));
    ASSERT_TRUE(spec);
    EXPECT_TRUE(spec->layers.empty());
    EXPECT_EQ(spec->family, nullptr);
}

TEST(ModelSpec, RefusesNumbersBeyondTheCaps) {
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"block_count", u32(513)}})), HasSubstr("llama.block_count is 513"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"block_count", u32(0)}})), HasSubstr("only 1 to 512"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"expert_count", u32(1025)}})), HasSubstr("only 0 to 1024"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"embedding_length", u32(1u << 25)}})),
                HasSubstr("llama.embedding_length"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"expert_count", u32(4)}, {"expert_used_count", u32(5)}})),
                HasSubstr("only 0 to 4"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"block_count", u32(2)}, {"nextn_predict_layers", u32(3)}})),
                HasSubstr("only 0 to 2"));
}

TEST(ModelSpec, RefusesWrongTypesAndListsOfAnotherLength) {
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"block_count", Value::ofUnsigned(ValueType::U16, 2)}})),
                HasSubstr("as u16"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"embedding_length", Value::of(std::string("64"))}})),
                HasSubstr("as string"));
    EXPECT_THAT(modelRefusal(ggufFromArchitecture("llama", {{"rope.freq_base", Value::ofFloat(ValueType::F32, INFINITY)}})),
                HasSubstr("finite"));
    const Model model = ggufFromArchitecture("llama", {{"block_count", u32(3)}, {"attention.head_count", numbersList({4, 4})}});
    EXPECT_THAT(modelRefusal(model), HasSubstr("has 2 values for llama.attention.head_count but 3 layers"));
    EXPECT_EQ(readSpec(model).error().subject, "llama.attention.head_count");
}

TEST(ModelSpec, NamesTheTypeOfAnUnknownFamily) {
    ValueObject config;
    config.members.push_back({"model_type", Value::of(std::string("abacus"))});
    const auto spec = specOfConfig(config, "config.json");
    ASSERT_FALSE(spec);
    EXPECT_THAT(spec.error().message(), HasSubstr("\"abacus\""));
}

TEST(ModelSpec, ReadsTheTextPartOfAMultimodalConfig) {
    ValueObject text, config;
    text.members = {{"model_type", Value::of(std::string("gemma3_text"))},
                    {"num_hidden_layers", Value::ofUnsigned(ValueType::U64, 62)},
                    {"hidden_size", Value::ofUnsigned(ValueType::U64, 5376)},
                    {"num_attention_heads", Value::ofUnsigned(ValueType::U64, 32)},
                    {"head_dim", Value::ofUnsigned(ValueType::U64, 128)},
                    {"sliding_window", Value::ofUnsigned(ValueType::U64, 1024)},
                    {"query_pre_attn_scalar", Value::ofUnsigned(ValueType::U64, 168)}};
    config.members = {{"model_type", Value::of(std::string("gemma3"))}, {"text_config", Value::of(text)}};
    const auto spec = specOfConfig(config, "config.json");
    ASSERT_TRUE(spec) << spec.error().message();
    EXPECT_EQ(spec->layers.size(), 62u);
    EXPECT_EQ(spec->context, 131'072u) << "what the file leaves out has the default of its class";
    EXPECT_EQ(spec->layers[4].window, 1024u);
    EXPECT_EQ(spec->layers[5].window, 0u);
    EXPECT_FLOAT_EQ(spec->attentionScale, 1 / std::sqrt(168.0F));
    EXPECT_TRUE(spec->tiedEmbeddings);
}

} // namespace
} // namespace wb::arch

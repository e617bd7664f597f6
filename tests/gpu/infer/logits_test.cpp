// SPDX-License-Identifier: MIT
#include "tests/gpu/infer/infer_test.h"

#include <algorithm>

namespace wb::gpu {
namespace {

using infer::CacheType;
using quant::FileType;
using test::allLogits;
using test::ArchModel;
using test::nmse;

constexpr double bound = 1e-4; // docs/reference/inference.md, "Tolerances"

class ReferenceLogits : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(ReferenceLogits, AreReachedInAnySplit) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto engine = onDevice(arch.model);
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->gpuLayers(), engine->layers() + 1);
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}, std::size_t{7}})
        EXPECT_LE(nmse(allLogits(*engine, arch.tokens, piece), arch.logits), bound) << piece;
}

TEST_P(ReferenceLogits, ComeWithTheHiddenStates) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    for (const auto layers : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)}) {
        const auto engine = onDevice(arch.model, {.gpuLayers = layers});
        ASSERT_TRUE(engine);
        std::vector<float> hidden(arch.hidden.size());
        ASSERT_EQ(hidden.size(), (engine->layers() + 1) * arch.tokens.size() * engine->width());
        ASSERT_TRUE(engine->evaluate({arch.tokens, 0, {}, hidden}, {}));
        EXPECT_LE(nmse(hidden, arch.hidden), bound);
    }
}

TEST_P(ReferenceLogits, GiveTheGreedyText) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    infer::Session session(onDevice(arch.model));
    ASSERT_TRUE(session.append(arch.greedyPrompt));
    for (std::size_t i = 0; i < arch.greedy.size(); ++i) {
        const auto logits = session.logits();
        const auto best = static_cast<infer::Token>(std::ranges::max_element(logits) - logits.begin());
        EXPECT_TRUE(arch.greedyMargin[i] <= 0.05 || best == arch.greedy[i]) << i;
        ASSERT_TRUE(session.append(std::span(&arch.greedy[i], 1)));
    }
}

INSTANTIATE_TEST_SUITE_P(Families, ReferenceLogits,
                         testing::Values("llama", "llama31", "llama-k256", "phi3", "phi3-longrope", "qwen2", "smollm3"),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase(text, '-');
                             return text;
                         });

class LayersOnBothSides : public InferTest, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(LayersOnBothSides, GiveTheSameLogits) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama-k256");
    const auto engine = onDevice(arch.model, {.gpuLayers = GetParam()});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->gpuLayers(), std::min<std::uint64_t>(GetParam(), engine->layers() + 1));
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}})
        EXPECT_LE(nmse(allLogits(*engine, arch.tokens, piece), arch.logits), bound) << piece;
}

INSTANTIATE_TEST_SUITE_P(Counts, LayersOnBothSides, testing::Values(1, 2, 100));

// With weights that are codes every sum is the processor's, to the last bit; with floats its order is another.
class TypesOfWeights : public InferTest, public testing::WithParamInterface<FileType> {};

TEST_P(TypesOfWeights, GiveTheLogitsOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama-k256");
    const ModelPtr model = inType(arch.model, GetParam());
    ASSERT_TRUE(model);
    const auto ours = onDevice(model), theirs = onProcessor(model);
    ASSERT_TRUE(ours && theirs);
    const bool isFloat = GetParam() == FileType::F32 || GetParam() == FileType::F16 || GetParam() == FileType::BF16;
    const std::vector<float> truth = allLogits(*theirs, arch.tokens, arch.tokens.size());
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}, std::size_t{5}}) {
        const std::vector<float> logits = allLogits(*ours, arch.tokens, piece);
        if (isFloat) EXPECT_LE(nmse(logits, truth), 1e-7) << piece;
        else EXPECT_EQ(logits, truth) << piece;
    }
}

INSTANTIATE_TEST_SUITE_P(All, TypesOfWeights,
                         testing::Values(FileType::F32, FileType::F16, FileType::BF16, FileType::Q8_0, FileType::Q4_0,
                                         FileType::Q4_1, FileType::Q5_0, FileType::Q5_1, FileType::Q4_K_M, FileType::Q5_K_M,
                                         FileType::Q6_K));

class TypesOfCaches : public InferTest, public testing::WithParamInterface<std::pair<CacheType, CacheType>> {};

TEST_P(TypesOfCaches, GiveTheLogitsOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama-k256");
    const ModelPtr model = inType(arch.model, FileType::Q4_K_M);
    ASSERT_TRUE(model);
    infer::EngineOptions options;
    options.context = context;
    options.threads = 2;
    std::tie(options.keys, options.values) = GetParam();
    const auto theirs = test::makeEngine(model, options);
    const std::vector<float> truth = allLogits(*theirs, arch.tokens, arch.tokens.size());
    for (const auto layers : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)}) {
        options.gpuLayers = layers;
        const auto ours = onDevice(model, options);
        ASSERT_TRUE(ours);
        for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}})
            EXPECT_EQ(allLogits(*ours, arch.tokens, piece), truth) << piece;
    }
}

INSTANTIATE_TEST_SUITE_P(All, TypesOfCaches,
                         testing::Values(std::pair{CacheType::Q8_0, CacheType::Q8_0}, std::pair{CacheType::Q8_0, CacheType::F16},
                                         std::pair{CacheType::F32, CacheType::F32}));

// Two hundred tokens: several batches, and more positions than a tile of attention holds.
TEST_F(InferTest, LongTextIsTheSameAtOnceAndOneByOne) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const ModelPtr model = open(test::shared() / "corpus/llm/stories260K.gguf");
    std::vector<infer::Token> tokens;
    for (int i = 0; i < 200; ++i) tokens.push_back(1 + i * 7 % 500);
    infer::EngineOptions options;
    options.context = 256;
    const auto engine = onDevice(model, options);
    ASSERT_TRUE(engine);
    const auto processor = test::makeEngine(model, {.threads = 2, .context = 256});
    const std::vector<float> truth = allLogits(*processor, tokens, tokens.size());
    EXPECT_LE(nmse(allLogits(*engine, tokens, engine->maxBatch()), truth), bound);
    EXPECT_LE(nmse(allLogits(*engine, tokens, 1), truth), bound);
}

TEST_F(InferTest, StopsBetweenLayersAndKeepsWhatItHad) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    const auto engine = onDevice(arch.model);
    ASSERT_TRUE(engine);
    std::vector<float> logits(engine->vocabulary()), again(logits);
    ASSERT_TRUE(engine->evaluate({std::span(arch.tokens).first(8), 0, logits, {}}, {}));
    std::stop_source source;
    source.request_stop();
    const auto stopped = engine->evaluate({std::span(arch.tokens).subspan(8), 8, logits, {}}, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Canceled);
    ASSERT_TRUE(engine->evaluate({std::span(arch.tokens).subspan(7, 1), 7, again, {}}, {}));
    EXPECT_LE(nmse(again, logits), 1e-9);
}

} // namespace
} // namespace wb::gpu

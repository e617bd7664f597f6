// SPDX-License-Identifier: MIT
#include "tests/gpu/support/sample.h"
#include "tests/gpu/infer/infer_test.h"

#include <algorithm>
#include <set>

namespace wb::gpu {
namespace {

using infer::CacheType;
using quant::FileType;
using test::allLogits;
using test::ArchModel;
using test::nmse;

constexpr double bound = 1e-4; // docs/reference/inference.md, "Tolerances"

// The errors of all positions, the smallest first.
std::vector<double> positionErrors(std::span<const float> logits, std::span<const float> truth, std::size_t vocabulary) {
    std::vector<double> errors;
    for (std::size_t at = 0; at < logits.size(); at += vocabulary)
        errors.push_back(nmse(logits.subspan(at, vocabulary), truth.subspan(at, vocabulary)));
    std::ranges::sort(errors);
    return errors;
}

// The same; token by token for experts of four bits, which multiply 8-bit activations, so that a near tie of the router may flip,
// and for indexers with rounded keys, where one of a token may.
void expectNear(const ArchModel& arch, std::span<const float> logits, std::size_t piece) {
    const bool hasFourBits = arch.model->architecture == "gpt-oss", selects = arch.model->architecture == "glm-dsa";
    if (!hasFourBits && !selects) {
        EXPECT_LE(nmse(logits, arch.logits), bound) << piece;
        return;
    }
    const std::vector<double> errors = positionErrors(logits, arch.logits, logits.size() / arch.tokens.size());
    EXPECT_LE(errors[errors.size() / 2], hasFourBits ? 10 * bound : bound) << piece;
    EXPECT_LE(errors[errors.size() * 9 / 10], hasFourBits ? 100 * bound : 10 * bound) << piece;
}

std::string parameterName(const testing::TestParamInfo<std::string>& name) {
    std::string text = name.param;
    std::erase(text, '-');
    return text;
}

class ReferenceLogits : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(ReferenceLogits, AreReachedInAnySplit) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto engine = onDevice(arch.model);
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->gpuLayers(), engine->layers() + 1);
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}, std::size_t{7}})
        expectNear(arch, allLogits(*engine, arch.tokens, piece), piece);
}

INSTANTIATE_TEST_SUITE_P(
    Families, ReferenceLogits,
    testing::ValuesIn(test::sample<std::string>(
        {"gemma3", "glm-dsa", "gpt-oss", "granitehybrid", "kimi-linear", "qwen4exp"},
        {"deepseek3", "llama4",     "phi3",          "qwen35moe",     "cohere",    "cohere2",    "deepseek2-lite", "ernie4_5-moe",
         "exaone4",   "gemma",      "gemma2",        "gemma4",        "gemma4moe", "glm4",       "glm47flash",     "glm4moe",
         "gpt2",      "granite",    "granitemoe",    "hunyuan-dense", "lfm2",      "lfm2moe",    "llama",          "llama-k256",
         "llama31",   "minimax-m2", "ministral3",    "mistral4",      "mixtral",   "nemotron_h", "nemotron_h_moe", "olmo2",
         "olmo3",     "phi2",       "phi3-longrope", "qwen2",         "qwen2moe",  "qwen3",      "qwen3-k256",     "qwen35",
         "qwen3moe",  "qwen3next",  "qwen3vl",       "smollm3",       "stablelm",  "starcoder2"})),
    parameterName);

// One family for each kind of layer.
class ReferenceText : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(ReferenceText, ComesWithTheHiddenStates) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto graph = infer::planGraph(arch.model);
    ASSERT_TRUE(graph);
    for (const auto layers : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)}) {
        if (layers && possibleLayers(*graph, *layers) != *layers) continue;
        const auto engine = onDevice(arch.model, {.gpuLayers = layers});
        ASSERT_TRUE(engine);
        std::vector<float> hidden(arch.hidden.size());
        ASSERT_EQ(hidden.size(), (engine->layers() + 1) * arch.tokens.size() * engine->width());
        ASSERT_TRUE(engine->evaluate({arch.tokens, 0, {}, hidden}, {}));
        EXPECT_LE(nmse(hidden, arch.hidden), bound);
    }
}

TEST_P(ReferenceText, IsTheGreedyOne) {
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

INSTANTIATE_TEST_SUITE_P(Kinds, ReferenceText, testing::Values("llama", "gemma4", "qwen3moe", "qwen35"), parameterName);

using Split = std::pair<std::string, std::uint64_t>; // a family and its layers on the device

class LayersOnBothSides : public InferTest, public testing::WithParamInterface<Split> {};

TEST_P(LayersOnBothSides, GiveTheSameLogits) {
    WB_NEED_SHARED("arch");
    const auto& [name, layers] = GetParam();
    const ArchModel arch = ArchModel::open(name);
    const auto engine = onDevice(arch.model, {.gpuLayers = layers});
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->gpuLayers(), std::min<std::uint64_t>(layers, engine->layers() + 1));
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}})
        EXPECT_LE(nmse(allLogits(*engine, arch.tokens, piece), arch.logits), bound) << piece;
}

INSTANTIATE_TEST_SUITE_P(Counts, LayersOnBothSides,
                         testing::Values(Split{"llama-k256", 1}, Split{"llama-k256", 2}, Split{"llama-k256", 100},
                                         Split{"gemma3", 3}, Split{"qwen3moe", 2}, Split{"glm4moe", 2}));

// The last layers of Gemma 4 read the caches of earlier ones, so these go with them, and need the layers' own embeddings.
TEST_F(InferTest, LayersThatShareCachesStayTogether) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("gemma4");
    const auto graph = infer::planGraph(arch.model);
    ASSERT_TRUE(graph);
    std::set<std::uint64_t> counts;
    for (std::uint64_t layers = 1; layers <= graph->layers.size() + 1; ++layers) {
        const std::uint64_t possible = possibleLayers(*graph, layers);
        EXPECT_TRUE(possible == layers || !canSplitAt(*graph, graph->layers.size() + 1 - layers)) << layers;
        counts.insert(possible);
    }
    EXPECT_TRUE(counts.contains(1) && counts.contains(graph->layers.size() + 1));
    EXPECT_LT(counts.size(), graph->layers.size() + 1);
    const std::uint64_t partly = *std::next(counts.begin());
    ASSERT_LE(partly, graph->layers.size());
    const auto engine = onDevice(arch.model, {.gpuLayers = partly});
    ASSERT_TRUE(engine);
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}})
        expectNear(arch, allLogits(*engine, arch.tokens, piece), piece);
    const auto fewer = load(arch.model, {.gpuLayers = partly - 1});
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->gpuLayers(), 1u);
    ASSERT_EQ(fewer->remarks().size(), partly > 2 ? 1u : 0u);
}

// With a window on the CPU's layers a cache there drops the positions before it.
TEST_F(InferTest, WindowsOnTheProcessorLimitBatchesAndReuse) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("gemma3"); // a window of 16
    infer::EngineOptions options{.context = 208, .windowSlack = 16, .gpuLayers = 3};
    const auto engine = onDevice(arch.model, options);
    ASSERT_TRUE(engine);
    EXPECT_EQ(engine->maxBatch(), 16u);
    std::vector<infer::Token> tokens;
    while (tokens.size() < 120) tokens.insert(tokens.end(), arch.tokens.begin(), arch.tokens.end());
    tokens.resize(120);
    const auto processor = test::makeEngine(arch.model, {.threads = 2, .context = 208});
    EXPECT_LE(nmse(allLogits(*engine, tokens, 16), allLogits(*processor, tokens, 64)), 1e-7);
    EXPECT_EQ(engine->reusable(119), 119u);
    EXPECT_EQ(engine->reusable(60), 0u);
}

// Norms, activations and attention of these also give the bits of the CPU.
class QuantizedFamilies : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(QuantizedFamilies, GiveTheLogitsOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const ModelPtr model = inType(arch.model, FileType::Q8_0);
    ASSERT_TRUE(model);
    const auto ours = onDevice(model), theirs = onProcessor(model);
    ASSERT_TRUE(ours && theirs);
    const std::vector<float> truth = allLogits(*theirs, arch.tokens, arch.tokens.size());
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}})
        EXPECT_EQ(allLogits(*ours, arch.tokens, piece), truth) << piece;
}

INSTANTIATE_TEST_SUITE_P(Dense, QuantizedFamilies,
                         testing::ValuesIn(test::sample<std::string>({"qwen35", "lfm2"},
                                                                     {"cohere2", "nemotron_h", "exaone4", "gemma3", "olmo2", "phi2",
                                                                      "qwen3", "ministral3"})),
                         parameterName);

// Routers add in another order, so a number may be rounded to the next code of 8 bits, or two experts with nearly equal logits may
// change places. The error is far smaller than that of 8-bit activations, which is the distance to the reference.
class QuantizedExperts : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(QuantizedExperts, GiveNearlyTheLogitsOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const ModelPtr model = inType(arch.model, FileType::Q8_0);
    ASSERT_TRUE(model);
    const auto ours = onDevice(model), theirs = onProcessor(model);
    ASSERT_TRUE(ours && theirs);
    const std::vector<float> truth = allLogits(*theirs, arch.tokens, arch.tokens.size());
    const std::vector<double> rounding = positionErrors(truth, arch.logits, ours->vocabulary());
    for (const std::size_t piece : {arch.tokens.size(), std::size_t{1}}) {
        const std::vector<double> errors = positionErrors(allLogits(*ours, arch.tokens, piece), truth, ours->vocabulary());
        const std::size_t middle = errors.size() / 2, most = errors.size() * 9 / 10;
        EXPECT_LE(errors[middle], std::max(bound, rounding[middle] / 8)) << piece;
        EXPECT_LE(errors[most], std::max(10 * bound, rounding[most] / 8)) << piece;
    }
}

INSTANTIATE_TEST_SUITE_P(Routers, QuantizedExperts,
                         testing::ValuesIn(test::sample<std::string>(
                             {"granitehybrid"}, {"deepseek3", "qwen3moe", "qwen2moe", "mixtral", "glm4moe", "glm47flash",
                                                 "mistral4", "llama4", "deepseek2-lite", "qwen35moe", "qwen3next", "kimi-linear",
                                                 "lfm2moe", "nemotron_h_moe", "glm-dsa", "qwen4exp"})),
                         parameterName);

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
                         testing::ValuesIn(test::sample<FileType>(
                             {FileType::Q4_K_M, FileType::TQ1_0},
                             {FileType::F16, FileType::Q3_K_M, FileType::IQ4_XS, FileType::F32, FileType::BF16, FileType::Q8_0,
                              FileType::Q4_0, FileType::Q4_1, FileType::Q5_0, FileType::Q5_1, FileType::Q2_K, FileType::Q5_K_M,
                              FileType::Q6_K, FileType::IQ4_NL, FileType::IQ3_S, FileType::TQ2_0})));

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

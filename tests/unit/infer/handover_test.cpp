// SPDX-License-Identifier: MIT
#include "core/infer/cached_rows.h"
#include "core/infer/handover_engine.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

// Prompts on one engine and responses on another give the numbers of one engine.
namespace wb::infer {
namespace {

using test::ArchModel;
using test::makeEngine;

constexpr std::size_t handoverContext = 64;

// Batches that go back and forth between both, one of which takes an earlier turn back.
constexpr std::pair<std::size_t, std::size_t> batches[] = {{0, 20},  {20, 1}, {21, 1}, {22, 5},  {27, 18}, {45, 1},
                                                           {46, 16}, {30, 1}, {31, 1}, {12, 17}, {29, 1},  {0, 3}};

std::vector<Token> longTokens(const ArchModel& arch) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < handoverContext; ++i) tokens.push_back(arch.tokens[i % arch.tokens.size()]);
    return tokens;
}

class Handover : public testing::TestWithParam<std::string> {};

TEST_P(Handover, ChangesNoNumber) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const std::vector<Token> tokens = longTokens(arch);
    for (const CacheType type : {CacheType::F16, CacheType::F32}) {
        const EngineOptions options{.threads = 1, .context = handoverContext, .keys = type, .values = type};
        const auto graph = planGraph(arch.model);
        ASSERT_TRUE(graph && canHandOver(*graph, options));
        const auto alone = makeEngine(arch.model, options);
        const auto pair = makeHandoverEngine(*graph, makeEngine(arch.model, options), makeEngine(arch.model, options));
        std::vector<float> expected(alone->vocabulary()), found(alone->vocabulary());
        for (const auto& [position, count] : batches) {
            const auto piece = std::span(tokens).subspan(position, count);
            ASSERT_TRUE(alone->evaluate({piece, position, expected, {}}, {}));
            ASSERT_TRUE(pair->evaluate({piece, position, found, {}}, {}));
            EXPECT_EQ(found, expected) << position;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Families, Handover,
                         testing::Values("llama", "qwen2", "qwen3moe", "gpt2", "mixtral", "deepseek2-lite", "phi3"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(HandoverEngine, StopsWhereItIsCanceledAndGoesOn) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama");
    const std::vector<Token> tokens = longTokens(arch);
    const EngineOptions options{.threads = 1, .context = handoverContext};
    const auto graph = planGraph(arch.model);
    ASSERT_TRUE(graph);
    const auto alone = makeEngine(arch.model, options);
    const auto pair = makeHandoverEngine(*graph, makeEngine(arch.model, options), makeEngine(arch.model, options));
    std::vector<float> expected(alone->vocabulary()), found(alone->vocabulary());
    for (Engine* const engine : {alone.get(), pair.get()})
        ASSERT_TRUE(engine->evaluate({std::span(tokens).first(20), 0, {}, {}}, {}));
    std::stop_source stop;
    stop.request_stop();
    const auto canceled = pair->evaluate({std::span(tokens).subspan(20, 1), 20, found, {}}, stop.get_token());
    ASSERT_FALSE(canceled);
    EXPECT_EQ(canceled.error().code, ErrorCode::Canceled);
    ASSERT_TRUE(alone->evaluate({std::span(tokens).subspan(20, 1), 20, expected, {}}, {}));
    ASSERT_TRUE(pair->evaluate({std::span(tokens).subspan(20, 1), 20, found, {}}, {}));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(pair->load().memory.total(), 2 * alone->load().memory.total());
}

// State that is not in the caches, caches with codes, and caches that drop positions stay where they are.
TEST(CanHandOver, IsOfCompleteCachesAlone) {
    WB_NEED_SHARED("arch");
    const auto can = [](const char* name, EngineOptions options) {
        const auto graph = planGraph(ArchModel::open(name).model);
        EXPECT_TRUE(graph);
        return graph && canHandOver(*graph, options);
    };
    EXPECT_TRUE(can("llama", {.context = handoverContext}));
    EXPECT_FALSE(can("llama", {.context = handoverContext, .keys = CacheType::Q8_0}));
    for (const char* name : {"qwen35", "nemotron_h", "lfm2", "glm-dsa", "qwen4exp"})
        EXPECT_FALSE(can(name, {.context = handoverContext})) << name;
    auto windows = planGraph(ArchModel::open("gemma2").model);
    ASSERT_TRUE(windows);
    for (CacheShape& cache : windows->caches) cache.window = 16;
    EXPECT_FALSE(canHandOver(*windows, {.context = handoverContext}));
    EXPECT_TRUE(canHandOver(*windows, {.context = 16}));
}

} // namespace
} // namespace wb::infer

// SPDX-License-Identifier: MIT
#include "core/infer/memory_plan.h"

#include "core/infer/cpu/cpu_engine.h"
#include "tests/unit/infer/reference.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::infer {
namespace {

using test::ArchModel;

// Every family: what is planned is what is claimed then, part by part.
TEST(MemoryPlans, AreWhatTheEngineClaims) {
    WB_NEED_SHARED("arch");
    for (const char* name : {"llama",          "qwen3",       "qwen3moe",  "gemma3",    "gemma4",  "gpt-oss",    "phi3-longrope",
                             "glm4moe",        "gpt2",        "qwen35",    "qwen3next", "lfm2moe", "glm47flash", "granitehybrid",
                             "nemotron_h_moe", "kimi-linear", "gemma4moe", "qwen4exp",  "glm-dsa", "llama4"}) {
        const ModelPtr model = ArchModel::open(name).model;
        for (const auto keys : {CacheType::F16, CacheType::Q8_0}) {
            const EngineOptions options{.threads = 3, .context = 100, .keys = keys, .values = CacheType::F32};
            const auto graph = planGraph(model);
            ASSERT_TRUE(graph) << name << ": " << graph.error().message();
            const auto planned = cpu::planCpuMemory(*graph, options);
            ASSERT_TRUE(planned) << name;
            const EngineMemory claimed = test::makeEngine(model, options)->load().memory;
            EXPECT_EQ(planned->weights, claimed.weights) << name;
            EXPECT_EQ(planned->keys, claimed.keys) << name;
            EXPECT_EQ(planned->values, claimed.values) << name;
            EXPECT_EQ(planned->state, claimed.state) << name;
            EXPECT_EQ(planned->compute, claimed.compute) << name;
            EXPECT_EQ(claimed.state > 0, !graph->states.empty()) << name;
        }
    }
}

// A model and the head that predicts ahead are two engines.
TEST(MemoryPlans, CountTheHeadThatPredictsAhead) {
    WB_NEED_SHARED("arch");
    for (const char* name : {"qwen35", "qwen35moe", "llama"}) {
        const memory::Subject subject = *memory::memorySubject(ArchModel::open(name).model);
        const memory::Settings settings{.context = 64, .loadsPrediction = true};
        const auto plan = planMemory(subject, settings, 2);
        const auto head = planPrediction(subject.model);
        ASSERT_EQ(plan.has_value(), head.has_value()) << name;
        if (!head) {
            EXPECT_EQ(plan.error().reason, head.error().reason);
            continue;
        }
        const EngineOptions options{.threads = 2, .context = 64};
        const std::uint64_t model = test::makeEngine(subject.model, options)->load().memory.total();
        const auto engine = cpu::makeCpuEngine(*head, options, {});
        ASSERT_TRUE(engine) << name << ": " << engine.error().message();
        EXPECT_GT((*engine)->load().memory.weights, 0) << name;
        EXPECT_EQ(plan->total(), model + (*engine)->load().memory.total() + subject.spec.vocabulary * sizeof(float)) << name;
    }
}

TEST(MemoryPlans, RefuseWhatTheEngineLacks) {
    WB_NEED_SHARED("arch");
    const memory::Subject subject = *memory::memorySubject(ArchModel::open("llama").model);
    const auto refused = [&](auto change) {
        memory::Settings settings{.context = 64};
        change(settings);
        const auto result = planMemory(subject, settings, 1);
        EXPECT_FALSE(result);
        return result ? std::string() : result.error().subject;
    };
    EXPECT_EQ(refused([](memory::Settings& s) { s.keyType = Dtype::Q4_0; }), "kv");
    EXPECT_EQ(refused([](memory::Settings& s) { s.gpuLayers = 1; }), "gpu-layers");
    EXPECT_EQ(refused([](memory::Settings& s) { s.conversations = 2; }), "parallel");
    const auto plan = planMemory(subject, {.context = 64}, 1);
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_EQ(plan->trust, memory::Trust::Plan);
    std::uint64_t parts = 0;
    for (const memory::MemoryPart& part : plan->parts) parts += part.bytes;
    EXPECT_EQ(parts, plan->total());
}

} // namespace
} // namespace wb::infer

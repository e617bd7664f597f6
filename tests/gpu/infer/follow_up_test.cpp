// SPDX-License-Identifier: MIT
#include "gpu/compute/follow_test.h"
#include "gpu/infer/device_engine.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/support/sample.h"

// Small steps at the end of products give the same bits as in separate dispatches.
namespace wb::gpu {
namespace {

TEST_F(InferTest, FollowUpsPassTheirSelfTest) {
    const auto exact = compute::testFollowUps(device, {}, infer::KernelSet::Exact);
    ASSERT_TRUE(exact) << exact.error().message();
    EXPECT_TRUE(*exact);
    const std::array verdicts{FastVerdict{Dtype::Q4_K, FastForm::Float, 0, 2, 2},
                              FastVerdict{Dtype::Q6_K, FastForm::Float, 0, 2, 2},
                              FastVerdict{Dtype::Unknown, FastForm::Float, 0, 2}};
    const auto fast = compute::testFollowUps(device, verdicts, infer::KernelSet::Fast);
    ASSERT_TRUE(fast) << fast.error().message();
    EXPECT_TRUE(*fast);
}

struct FollowedCase {
    std::string family;
    quant::FileType type;
    infer::CacheType cache = infer::CacheType::F16;
};

class FollowUps : public InferTest, public testing::WithParamInterface<FollowedCase> {
protected:
    std::vector<float> logits(const infer::Graph& graph, std::span<const infer::Token> tokens, bool followUps) {
        infer::Placement placement;
        placement.options = {.threads = 1, .context = context, .kernels = infer::KernelSet::Exact};
        placement.options.keys = placement.options.values = GetParam().cache;
        placement.gpuLayers = graph.layers.size() + 1;
        const auto engine = makeDeviceEngine(device, graph, placement, {.followUps = followUps}, {});
        EXPECT_TRUE(engine) << engine.error().message();
        if (!engine) return {};
        EXPECT_EQ((*engine)->kernels(), followUps ? "exact" : "exact, separate steps");
        return test::allLogits(**engine, tokens, 1);
    }
};

TEST_P(FollowUps, ChangeNoBit) {
    WB_NEED_SHARED("arch");
    const test::ArchModel arch = test::ArchModel::open(GetParam().family);
    const ModelPtr model = inType(arch.model, GetParam().type);
    ASSERT_TRUE(model);
    const auto graph = infer::planGraph(model);
    ASSERT_TRUE(graph);
    const auto tokens = std::span(arch.tokens).first(6);
    EXPECT_EQ(logits(*graph, tokens, true), logits(*graph, tokens, false));
}

INSTANTIATE_TEST_SUITE_P(Families, FollowUps,
                         testing::ValuesIn(test::sample<FollowedCase>({{"llama-k256", quant::FileType::Q4_K_M},
                                                                       {"qwen3", quant::FileType::F16, infer::CacheType::Q8_0},
                                                                       {"qwen2", quant::FileType::Q8_0, infer::CacheType::F32},
                                                                       {"gemma3", quant::FileType::Q8_0}},
                                                                      {{"llama", quant::FileType::Q8_0},
                                                                       {"gemma2", quant::FileType::F16},
                                                                       {"exaone4", quant::FileType::Q8_0},
                                                                       {"gpt2", quant::FileType::Q8_0},
                                                                       {"phi2", quant::FileType::Q8_0},
                                                                       {"phi3", quant::FileType::Q8_0, infer::CacheType::Q8_0},
                                                                       {"olmo2", quant::FileType::Q8_0},
                                                                       {"cohere2", quant::FileType::F16},
                                                                       {"qwen3moe", quant::FileType::Q8_0},
                                                                       {"qwen2moe", quant::FileType::Q8_0},
                                                                       {"deepseek3", quant::FileType::Q8_0},
                                                                       {"gemma4", quant::FileType::Q8_0},
                                                                       {"qwen35", quant::FileType::Q8_0},
                                                                       {"nemotron_h", quant::FileType::Q8_0}})),
                         [](const auto& name) {
                             std::string text = name.param.family;
                             std::erase(text, '-');
                             return text;
                         });

} // namespace
} // namespace wb::gpu

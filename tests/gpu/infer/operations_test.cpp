// SPDX-License-Identifier: MIT
#include "tests/gpu/infer/infer_test.h"
#include "tests/unit/infer/naive_graph.h"

#include <set>

// Each operation with the tensors of a model, as the last one of a short graph, compared with its definition in f64.
namespace wb::gpu {
namespace {

using test::ArchModel;
using test::NaiveGraph;

class DeviceOperations : public InferTest, public testing::WithParamInterface<const char*> {
protected:
    // Whether x changes with this operation.
    static bool changesX(const infer::LayerOp& op) {
        return std::holds_alternative<infer::ResidualOp>(op) || std::holds_alternative<infer::ExpertsOp>(op) ||
               std::holds_alternative<infer::ScaleOp>(op) || std::holds_alternative<infer::AddSumOp>(op);
    }

    void expectTruth(const infer::Graph& graph, std::span<const infer::Token> tokens, double bound) {
        infer::EngineOptions options{.threads = 1, .context = context};
        options.keys = options.values = infer::CacheType::F32;
        const auto engine = loadOn(*compute::makeInference(test::chosen(device)), graph, options);
        ASSERT_TRUE(engine);
        ASSERT_EQ(engine->gpuLayers(), graph.layers.size() + 1);
        std::vector<float> truth;
        for (const NaiveGraph::Row& row : NaiveGraph(graph, tokens).logits()) truth.insert(truth.end(), row.begin(), row.end());
        EXPECT_LE(test::nmse(test::allLogits(*engine, tokens, tokens.size()), truth), bound) << graph.layers.front().size();
    }
};

// The first layer up to each operation that changes x, then the whole model.
TEST_P(DeviceOperations, AreTheirDefinitions) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto graph = infer::planGraph(arch.model);
    ASSERT_TRUE(graph) << graph.error().message();
    const auto tokens = std::span(arch.tokens).first(12);
    const double bound = arch.model->architecture == "gpt-oss" ? 5e-3 : 1e-9; // experts of four bits round activations
    infer::Graph one = *graph;
    one.layers = {{}};
    for (const infer::LayerOp& op : graph->layers.front()) {
        one.layers.front().push_back(op);
        if (!changesX(op)) continue;
        ASSERT_NO_FATAL_FAILURE(expectTruth(one, tokens, bound));
    }
    expectTruth(*graph, tokens, bound);
}

INSTANTIATE_TEST_SUITE_P(Families, DeviceOperations,
                         testing::Values("cohere", "gemma2", "gemma3", "gemma4", "gemma4moe", "glm4", "glm4moe", "gpt-oss", "gpt2",
                                         "granite", "hunyuan-dense", "mixtral", "olmo2", "qwen2moe", "qwen3moe", "ministral3"),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase(text, '-');
                             return text;
                         });

} // namespace
} // namespace wb::gpu

// SPDX-License-Identifier: MIT
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/support/sample.h"
#include "tests/unit/infer/naive_graph.h"

#include <set>

// Each operation with the tensors of a model, as the last one of a short graph, compared with its definition in f64.
namespace wb::gpu {
namespace {

using test::ArchModel;
using test::NaiveGraph;

class DeviceOperations : public InferTest, public testing::WithParamInterface<const char*> {
protected:
    // Whether x, or a residual stream, changes with this operation.
    static bool changesX(const infer::LayerOp& op) {
        const auto* const residual = std::get_if<infer::ResidualOp>(&op);
        const auto* const experts = std::get_if<infer::ExpertsOp>(&op);
        return (residual && residual->target == infer::RowTarget::X) || (experts && experts->target == infer::RowTarget::X) ||
               std::holds_alternative<infer::ScaleOp>(op) || std::holds_alternative<infer::AddSumOp>(op) ||
               std::holds_alternative<infer::InjectOp>(op) || std::holds_alternative<infer::AddNgramsOp>(op);
    }

    // The layers with other operations than those before them, which need no cache of another layer.
    static std::vector<std::size_t> kindsOfLayers(const infer::Graph& graph) {
        std::set<std::vector<std::size_t>> seen;
        std::vector<std::size_t> kinds;
        for (std::size_t layer = 0; layer < graph.layers.size(); ++layer) {
            std::vector<std::size_t> operations;
            for (const infer::LayerOp& op : graph.layers[layer]) operations.push_back(op.index());
            infer::Graph alone = graph;
            alone.layers = {graph.layers[layer]};
            if (canSplitAt(alone, 0) && seen.insert(operations).second) kinds.push_back(layer);
        }
        return kinds;
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

// A layer of each kind up to each operation that changes x, then the whole model.
TEST_P(DeviceOperations, AreTheirDefinitions) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto graph = infer::planGraph(arch.model);
    ASSERT_TRUE(graph) << graph.error().message();
    const auto tokens = std::span(arch.tokens).first(12);
    const double bound = arch.model->architecture == "gpt-oss" ? 5e-3 : 1e-9; // experts of four bits round activations
    for (const std::size_t layer : kindsOfLayers(*graph)) {
        infer::Graph one = *graph;
        one.layers = {{}};
        for (const infer::LayerOp& op : graph->layers[layer]) {
            one.layers.front().push_back(op);
            if (!changesX(op)) continue;
            ASSERT_NO_FATAL_FAILURE(expectTruth(one, tokens, bound));
        }
    }
    expectTruth(*graph, tokens, bound);
}

INSTANTIATE_TEST_SUITE_P(Families, DeviceOperations,
                         testing::ValuesIn(test::sample<const char*>(
                             {"gemma4moe", "qwen35", "lfm2", "kimi-linear", "glm-dsa", "qwen4exp"},
                             {"cohere",     "gemma2",        "gemma3",   "gemma4",        "glm4",           "glm4moe",
                              "gpt-oss",    "gpt2",          "granite",  "hunyuan-dense", "llama4",         "mixtral",
                              "nemotron_h", "olmo2",         "qwen2moe", "qwen3moe",      "ministral3",     "deepseek2-lite",
                              "deepseek3",  "granitehybrid", "lfm2moe",  "mistral4",      "nemotron_h_moe", "qwen3next"})),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase(text, '-');
                             return text;
                         });

} // namespace
} // namespace wb::gpu

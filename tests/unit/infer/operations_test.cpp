// SPDX-License-Identifier: MIT
#include "core/infer/cpu/cpu_engine.h"
#include "tests/unit/infer/naive_graph.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <set>

// Each operation alone, with the tensors of a model, in both forms of the processor's engine, beside its definition in f64.
namespace wb::infer {
namespace {

using test::ArchModel;
using test::NaiveGraph;

// Experts in MXFP4 multiply activations that are rounded to 8 bits.
double boundFromName(const std::string& name) { return name == "gpt-oss" ? 5e-3 : 1e-9; }

std::vector<float> joined(const std::vector<NaiveGraph::Row>& rows) {
    std::vector<float> all;
    for (const NaiveGraph::Row& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

class Operations : public testing::Test {
protected:
    void open(const char* name) {
        const ArchModel arch = ArchModel::open(name);
        auto graph = planGraph(arch.model);
        ASSERT_TRUE(graph) << graph.error().message();
        m_name = name;
        m_graph = std::move(*graph);
        m_tokens = arch.tokens;
    }

    // The first operations of a layer as the whole model.
    Graph beginning(std::size_t layer, std::size_t count) const {
        Graph graph = firstLayers(m_graph, layer + 1);
        const auto begin = m_graph.layers[layer].begin();
        graph.layers = {std::vector<LayerOp>(begin, begin + static_cast<std::ptrdiff_t>(count))};
        return graph;
    }

    void expectTruth(const Graph& graph) const {
        const NaiveGraph truth(graph, m_tokens);
        const std::size_t rows = m_tokens.size();
        for (const bool scalar : {true, false}) {
            auto engine =
                cpu::makeCpuEngine(graph, {.threads = 2, .keys = CacheType::F32, .values = CacheType::F32, .scalar = scalar}, {});
            ASSERT_TRUE(engine) << engine.error().message();
            const std::size_t lastWidth = (*engine)->hiddenWidth(graph.layers.size());
            std::vector<float> hidden(rows * (graph.layers.size() * (*engine)->hiddenWidth(0) + lastWidth)), logits;
            if (graph.head) logits.resize(rows * graph.vocabulary);
            ASSERT_TRUE((*engine)->evaluate({m_tokens, 0, logits, hidden}, {}));
            const std::span<const float> last = std::span<const float>(hidden).last(rows * lastWidth);
            if (graph.head) EXPECT_LE(test::nmse(logits, joined(truth.logits())), boundFromName(m_name)) << m_name << " " << scalar;
            else EXPECT_LE(test::nmse(last, joined(truth.x())), boundFromName(m_name)) << m_name << " " << scalar;
        }
    }

    // Whether x, or a residual stream, changes with this operation.
    static bool changesX(const LayerOp& op) {
        const auto* const residual = std::get_if<ResidualOp>(&op);
        const auto* const experts = std::get_if<ExpertsOp>(&op);
        return (residual && residual->target == RowTarget::X) || (experts && experts->target == RowTarget::X) ||
               std::holds_alternative<ScaleOp>(op) || std::holds_alternative<AddSumOp>(op) ||
               std::holds_alternative<InjectOp>(op) || std::holds_alternative<AddNgramsOp>(op);
    }

    std::string m_name;
    Graph m_graph;
    std::vector<Token> m_tokens;
};

// A layer up to each operation that changes x, and all layers together.
TEST_F(Operations, OfALayerAreTheirDefinitions) {
    WB_NEED_SHARED("arch");
    for (const char* const name :
         {"llama",     "cohere",         "gemma2",        "gemma4",     "glm4",           "glm4moe",       "gpt-oss",
          "gpt2",      "granite",        "mixtral",       "olmo2",      "phi2",           "phi3-longrope", "qwen2moe",
          "qwen3",     "ministral3",     "qwen3next",     "qwen35",     "lfm2",           "minimax-m2",    "hunyuan-dense",
          "deepseek3", "deepseek2-lite", "granitehybrid", "nemotron_h", "nemotron_h_moe", "kimi-linear",   "gemma4moe",
          "qwen4exp",  "glm-dsa",        "llama4"}) {
        ASSERT_NO_FATAL_FAILURE(open(name));
        for (const std::size_t layer : std::set<std::size_t>{0, m_graph.layers.size() - 1}) {
            const std::vector<LayerOp>& ops = m_graph.layers[layer];
            const auto* const qkv = std::get_if<QkvOp>(&ops.front());
            if (qkv && !qkv->k) continue; // needs the cache of another layer
            for (std::size_t i = 0; i < ops.size(); ++i)
                if (changesX(ops[i])) expectTruth(beginning(layer, i + 1));
        }
        expectTruth(firstLayers(m_graph, m_graph.layers.size()));
    }
}

TEST_F(Operations, OfTheHeadAreTheirDefinition) {
    WB_NEED_SHARED("arch");
    for (const char* const name : {"llama", "cohere2", "gemma2", "granite", "phi2"}) {
        ASSERT_NO_FATAL_FAILURE(open(name));
        Graph head = m_graph;
        head.layers.clear();
        head.caches.clear();
        expectTruth(head);
    }
}

} // namespace
} // namespace wb::infer

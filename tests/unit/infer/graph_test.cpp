// SPDX-License-Identifier: MIT
#include "core/infer/graph.h"

#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::infer {
namespace {

// The model `llama` of the reference data after a change.
template <class Change>
Result<Graph> planChanged(Change change) {
    Model model = *test::ArchModel::open("llama").model;
    change(model);
    return planGraph(std::make_shared<const Model>(std::move(model)));
}

TensorInfo& tensorOf(Model& model, std::string_view name) { return *std::ranges::find(model.tensors, name, &TensorInfo::name); }

void expectRefusal(const Result<Graph>& graph, Reason reason, const char* word) {
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().reason, reason);
    EXPECT_NE(graph.error().message().find(word), std::string::npos) << graph.error().message();
}

TEST(Graph, ListsFiveStagesALayerAndTheHead) {
    WB_NEED_SHARED("arch");
    const auto graph = planChanged([](Model&) {});
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->stages.size(), 5 * 3 + 1);
    EXPECT_EQ(graph->vocabulary, 512u);
    EXPECT_NE(graph->output, graph->embedding);
}

TEST(Graph, TakesTheEmbeddingsWhereThereIsNoOutputMatrix) {
    WB_NEED_SHARED("arch");
    const auto graph =
        planChanged([](Model& model) { std::erase_if(model.tensors, [](const auto& t) { return t.name == "output.weight"; }); });
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->output, graph->embedding);
}

TEST(Graph, NamesAMissingTensor) {
    WB_NEED_SHARED("arch");
    for (const char* const name : {"token_embd.weight", "output_norm.weight", "blk.1.attn_q.weight", "blk.2.ffn_down.weight"})
        expectRefusal(planChanged([&](Model& model) { tensorOf(model, name).name = "other"; }), Reason("infer.missing_tensor"),
                      name);
}

TEST(Graph, NamesATensorOfTheWrongShape) {
    WB_NEED_SHARED("arch");
    for (const char* const name : {"output.weight", "blk.0.attn_norm.weight", "blk.1.attn_k.weight", "blk.2.ffn_gate.weight"})
        expectRefusal(planChanged([&](Model& model) { tensorOf(model, name).shape = *Shape::make({7, 9}); }),
                      Reason("infer.wrong_shape"), name);
}

TEST(Graph, NamesATensorOfATypeThatCannotBeDecoded) {
    WB_NEED_SHARED("arch");
    expectRefusal(planChanged([](Model& model) { tensorOf(model, "blk.0.attn_v.weight").dtype = Dtype::C64; }),
                  Reason("infer.type"), "blk.0.attn_v.weight");
}

TEST(Graph, NamesAForeignArchitectureAndTheKnownOnes) {
    WB_NEED_SHARED("arch");
    const auto rename = [](Model& model) {
        model.architecture = "weightless";
        for (Member& member : model.metadata.members)
            if (member.key == "general.architecture") member.value = Value::of(std::string("weightless"));
    };
    expectRefusal(planChanged(rename), Reason("infer.architecture"), "weightless");
    expectRefusal(planChanged(rename), Reason("infer.architecture"), "smollm3");
}

TEST(Graph, RefusesPartsThatNoEngineHas) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(test::ArchModel::open("mixtral").model);
    expectRefusal(graph, Reason("infer.part"), "experts");
}

TEST(Graph, RefusesHeadsThatDoNotDivide) {
    WB_NEED_SHARED("arch");
    const auto graph = planChanged([](Model& model) {
        for (Member& member : model.metadata.members)
            if (member.key == "llama.attention.head_count_kv") member.value = Value::ofUnsigned(ValueType::U32, 3);
    });
    expectRefusal(graph, Reason("infer.key"), "attention.head_count_kv");
}

} // namespace
} // namespace wb::infer

// SPDX-License-Identifier: MIT
#include "core/infer/graph/graph.h"

#include "core/formats/open.h"

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

TensorInfo& modelTensor(Model& model, std::string_view name) { return *std::ranges::find(model.tensors, name, &TensorInfo::name); }

void expectRefusal(const Result<Graph>& graph, Reason reason, const char* word) {
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().reason, reason);
    EXPECT_NE(graph.error().message().find(word), std::string::npos) << graph.error().message();
}

TEST(Graph, RefusesOtherFormatsByName) {
    WB_NEED_SHARED("arch/llama");
    auto model = formats::open(test::shared() / "arch/llama/hf");
    ASSERT_TRUE(model);
    const auto graph = planGraph(std::move(*model));
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::Unsupported); // not Malformed, which the window calls damaged
    EXPECT_EQ(graph.error().reason, Reason("infer.format"));
}

TEST(Graph, TakesTheEmbeddingsWhereThereIsNoOutputMatrix) {
    WB_NEED_SHARED("arch");
    const auto own = planChanged([](Model&) {});
    ASSERT_TRUE(own);
    EXPECT_EQ(own->vocabulary, 512u);
    EXPECT_FALSE(own->head->output.weight == own->embed.table);
    const auto tied =
        planChanged([](Model& model) { std::erase_if(model.tensors, [](const auto& t) { return t.name == "output.weight"; }); });
    ASSERT_TRUE(tied);
    EXPECT_TRUE(tied->head->output.weight == tied->embed.table);
}

TEST(Graph, NamesAMissingTensor) {
    WB_NEED_SHARED("arch");
    for (const char* const name : {"token_embd.weight", "output_norm.weight", "blk.1.attn_q.weight", "blk.2.ffn_down.weight"})
        expectRefusal(planChanged([&](Model& model) { modelTensor(model, name).name = "other"; }), Reason("infer.missing_tensor"),
                      name);
}

TEST(Graph, NamesATensorOfTheWrongShape) {
    WB_NEED_SHARED("arch");
    for (const char* const name : {"output.weight", "blk.0.attn_norm.weight", "blk.1.attn_k.weight", "blk.2.ffn_gate.weight"})
        expectRefusal(planChanged([&](Model& model) { modelTensor(model, name).shape = *Shape::make({7, 9}); }),
                      Reason("infer.wrong_shape"), name);
}

TEST(Graph, NamesATensorOfATypeThatCannotBeDecoded) {
    WB_NEED_SHARED("arch");
    expectRefusal(planChanged([](Model& model) { modelTensor(model, "blk.0.attn_v.weight").dtype = Dtype::C64; }),
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
    const auto graph = planChanged(
        [](Model& model) { model.metadata.members.push_back({"llama.attention.clamp_kqv", Value::ofFloat(ValueType::F32, 8)}); });
    expectRefusal(graph, Reason("infer.part"), "clamped attention");
}

TEST(Graph, FindsMatricesInsideFusedTensors) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(test::ArchModel::open("phi3").model);
    ASSERT_TRUE(graph);
    const auto& qkv = std::get<QkvOp>(graph->layers[0][0]);
    EXPECT_EQ(qkv.k.weight.tensor, qkv.q.weight.tensor);
    EXPECT_EQ(qkv.k.weight.first, qkv.q.weight.count);
    const auto& gateUp = std::get<GateUpOp>(graph->layers[0][3]);
    EXPECT_EQ(gateUp.up.weight.tensor, gateUp.gate.weight.tensor);
    EXPECT_EQ(gateUp.up.weight.first, gateUp.gate.weight.count);
}

TEST(Graph, OfTheFirstLayersHasTheirCachesAndNoHead) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(test::ArchModel::open("gemma4").model);
    ASSERT_TRUE(graph);
    EXPECT_LT(graph->caches.size(), graph->layers.size()) << "the last layers read the caches of others";
    const Graph first = firstLayers(*graph, 1);
    EXPECT_EQ(first.layers.size(), 1u);
    EXPECT_EQ(first.caches.size(), 1u);
    EXPECT_FALSE(first.head);
}

TEST(Graph, OfTheFirstLayersHasTheirStates) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(test::ArchModel::open("qwen35").model); // the fourth layer of five attends
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(graph->states.size(), 8u) << "two of each recurrent layer";
    EXPECT_EQ(graph->caches.size(), 1u);
    const Graph first = firstLayers(*graph, 2);
    EXPECT_EQ(first.states.size(), 4u);
    EXPECT_TRUE(first.caches.empty());
    EXPECT_EQ(firstLayers(*graph, 4).caches.size(), 1u);
}

// A model with another number for a key.
Result<Graph> planWith(const char* folder, const char* key, std::uint64_t number) {
    Model model = *test::ArchModel::open(folder).model;
    for (Member& member : model.metadata.members)
        if (member.key == key) member.value = Value::ofUnsigned(ValueType::U32, number);
    return planGraph(std::make_shared<const Model>(std::move(model)));
}

TEST(Graph, RefusesRecurrentNumbersThatDoNotDivide) {
    WB_NEED_SHARED("arch");
    const auto planWith = [](const char* key, std::uint64_t number) { return infer::planWith("qwen35", key, number); };
    expectRefusal(planWith("qwen35.ssm.group_count", 3), Reason("infer.key"), "ssm.group_count");
    expectRefusal(planWith("qwen35.ssm.group_count", 0), Reason("infer.key"), "ssm.group_count");
    expectRefusal(planWith("qwen35.ssm.time_step_rank", 0), Reason("infer.key"), "ssm.time_step_rank");
    expectRefusal(planWith("qwen35.ssm.conv_kernel", 0), Reason("infer.key"), "ssm.conv_kernel");
    expectRefusal(planWith("qwen35.ssm.conv_kernel", 17), Reason("infer.part"), "wide convolutions");
    expectRefusal(planWith("qwen35.ssm.conv_kernel", 3), Reason("infer.wrong_shape"), "blk.0.ssm_conv1d.weight");
    expectRefusal(planWith("qwen35.attention.value_length", 16), Reason("infer.key"), "attention.value_length");
}

TEST(Graph, RefusesNumbersThatAStateSpaceCannotHave) {
    WB_NEED_SHARED("arch");
    const auto planWith = [](const char* key, std::uint64_t number) { return infer::planWith("nemotron_h", key, number); };
    expectRefusal(planWith("nemotron_h.ssm.state_size", 0), Reason("infer.key"), "ssm.state_size");
    expectRefusal(planWith("nemotron_h.ssm.group_count", 3), Reason("infer.key"), "ssm.group_count");
    expectRefusal(planWith("nemotron_h.ssm.time_step_rank", 0), Reason("infer.key"), "ssm.time_step_rank");
    expectRefusal(planWith("nemotron_h.ssm.time_step_rank", 3), Reason("infer.key"), "ssm.time_step_rank");
    expectRefusal(planWith("nemotron_h.ssm.conv_kernel", 0), Reason("infer.key"), "ssm.conv_kernel");
    expectRefusal(planWith("nemotron_h.ssm.conv_kernel", 1U << 17), Reason("infer.part"), "wide convolutions");
    expectRefusal(planWith("nemotron_h.ssm.conv_kernel", 1U << 30), Reason("arch.out_of_range"), "ssm.conv_kernel");
    expectRefusal(planWith("nemotron_h.ssm.state_size", 32), Reason("infer.wrong_shape"), "blk.0.ssm_in.weight");
    expectRefusal(planWith("nemotron_h.ssm.group_count", 0), Reason("infer.part"), "recurrent layers"); // that is Mamba-1
    expectRefusal(planWith("nemotron_h.ssm.inner_size", 0), Reason("infer.part"), "without attention");
}

TEST(Graph, RefusesNumbersThatChannelDecaysCannotHave) {
    WB_NEED_SHARED("arch");
    const auto planWith = [](const char* key, std::uint64_t number) { return infer::planWith("kimi-linear", key, number); };
    expectRefusal(planWith("kimi-linear.kda.head_dim", 8), Reason("infer.wrong_shape"), "blk.0.attn_q.weight");
    expectRefusal(planWith("kimi-linear.ssm.conv_kernel", 0), Reason("infer.key"), "ssm.conv_kernel");
    expectRefusal(planWith("kimi-linear.ssm.conv_kernel", 17), Reason("infer.part"), "wide convolutions");
    expectRefusal(planWith("kimi-linear.ssm.conv_kernel", 3), Reason("infer.wrong_shape"), "blk.0.ssm_conv1d_q.weight");
}

TEST(Graph, OfAHeadThatPredictsAheadHasOneLayer) {
    WB_NEED_SHARED("arch");
    const auto graph = planPrediction(test::ArchModel::open("qwen35moe").model);
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(graph->layers.size(), 1u);
    EXPECT_EQ(graph->caches.size(), 1u);
    EXPECT_TRUE(graph->states.empty());
    ASSERT_TRUE(graph->join);
    EXPECT_EQ(graph->head->norm.weight.tensor->name, "blk.4.nextn.shared_head_norm.weight");
    EXPECT_EQ(graph->head->output.weight.tensor->name, "output.weight");
    expectRefusal(planPrediction(test::ArchModel::open("llama").model), Reason("infer.no_prediction"), "model.gguf");
    Model model = *test::ArchModel::open("qwen35moe").model;
    modelTensor(model, "blk.4.nextn.eh_proj.weight").shape = *Shape::make({64, 64});
    expectRefusal(planPrediction(std::make_shared<const Model>(model)), Reason("infer.wrong_shape"), "eh_proj");
}

TEST(Graph, ListsEachWeightOnce) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(test::ArchModel::open("phi2").model); // both halves of a layer share a norm
    ASSERT_TRUE(graph);
    const GraphWeights weights = listWeights(*graph);
    EXPECT_EQ(weights.matrices.size(), 6 * graph->layers.size() + 1);
    EXPECT_EQ(weights.vectors.size(), 2 * graph->layers.size() + 2) << "weight and bias of each norm";
    EXPECT_EQ(listWeights(*graph, 1).matrices.size(), 6 * (graph->layers.size() - 1) + 1);
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

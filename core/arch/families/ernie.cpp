// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<8> biasedExperts = {{
    {"mlp.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"mlp.moe_statics.e_score_correction_bias", "exp_probs_b.bias", Dim::One, Dim::Experts, Copy, false, LayerKind::Sparse},
    {"mlp.experts.{}.gate_proj", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
    {"mlp.experts.{}.up_proj", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
    {"mlp.experts.{}.down_proj", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack, true, LayerKind::Sparse},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, LayerKind::Sparse},
}};
constexpr auto biasedExpertLayer = joined(norms, attention, gated, biasedExperts);
// The width of all shared experts together is not stated: the reference writes another quotient, which is right for the published
// sizes alone.
constexpr KeyRules<7> biasedExpertKeys = {{
    {Number, "expert_count", {"moe_num_experts"}, true},
    {Number, "expert_used_count", {"moe_k"}, true},
    {Number, "interleave_moe_layer_step", {"moe_layer_interval"}},
    {Number, "leading_dense_block_count", {"moe_layer_start_index"}},
    expertWidth,
    {Number, "expert_shared_count", {"moe_num_shared_experts"}},
    {SharedWidth, "expert_shared_feed_forward_length"},
}};

constexpr FolderRules ernieExpertFolders[] = {
    {.classes = {"Ernie4_5_MoeForCausalLM"},
     .layer = biasedExpertLayer,
     .ownKeys = biasedExpertKeys,
     .predictionPrefix = "model.mtp_",
     .dropsPrediction = true,
     .sentencePieceHints = true,
     .modelType = "ernie4_5_moe",
     .biasMembers = {"use_bias"},
     .members = {{"expert_count", "moe_num_experts"}, {"expert_used_count", "moe_k"}}},
};

constexpr Family ernieRecords[] = {
    {.architecture = "ernie4_5", .modelTypes = {{"ernie4_5"}}, .rope = Adjacent},
    {.architecture = "ernie4_5-moe",
     .modelTypes = {{"ernie4_5_moe"}},
     .folders = ernieExpertFolders,
     .rope = Adjacent,
     .tied = true,
     .runs = true},
};

} // namespace

const std::span<const Family> ernie = ernieRecords;

} // namespace wb::arch::records

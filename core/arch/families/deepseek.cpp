// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<8> latentAttention = {{
    {"self_attn.q_proj", "attn_q", Dim::LatentQueries, Dim::Width, Copy, false},
    {"self_attn.q_a_proj", "attn_q_a", Dim::QueryRank, Dim::Width, Copy, false},
    {"self_attn.q_a_layernorm", "attn_q_a_norm", Dim::QueryRank, Dim::None, Copy, false},
    {"self_attn.q_b_proj", "attn_q_b", Dim::LatentQueries, Dim::QueryRank, Copy, false},
    {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa", Dim::LatentAndRotated, Dim::Width},
    {"self_attn.kv_a_layernorm", "attn_kv_a_norm", Dim::KeyValueRank},
    {"self_attn.kv_b_proj", "attn_k_b", Dim::LatentKeysValues, Dim::KeyValueRank, Transform::LatentKeys},
    {"self_attn.kv_b_proj", "attn_v_b", Dim::LatentKeysValues, Dim::KeyValueRank, Transform::LatentValues},
}};
constexpr TensorRules<1> latentOutput = {{{"self_attn.o_proj", "attn_output", Dim::Width, Dim::LatentValues}}};
constexpr TensorRules<4> ungatedShared = {{
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, LayerKind::Sparse},
}};
constexpr auto latentLayer = joined(norms, latentAttention, latentOutput, gated, experts, ungatedShared);

constexpr auto latentKeys = joined(KeyRules<2>{{blockCount, contextLength}}, widths,
                                   KeyRules<2>{{heads, {Number, "attention.head_count_kv", {}, false, 1}}}, afterHeads);
constexpr KeyRules<11> latentOwnKeys = {{
    {Number, "leading_dense_block_count", {"first_k_dense_replace"}},
    vocabularySize,
    {Number, "attention.q_lora_rank", {"q_lora_rank"}},
    {Number, "attention.kv_lora_rank", {"kv_lora_rank"}, true},
    {LatentLengths, "attention"},
    expertWidth,
    {Number, "expert_shared_count", {"n_shared_experts"}},
    {Float, "expert_weights_scale", {"routed_scaling_factor"}},
    {Truth, "expert_weights_norm", {"norm_topk_prob"}, false, {}, "if true"},
    {Number, "rope.dimension_count", {"qk_rope_head_dim"}, true},
    {RopeFloat, "rope.scaling.yarn_log_multiplier", {"mscale_all_dim"}},
}};
constexpr ExtraToken glmLiteTokens[] = {
    {"eos", "<|endoftext|>"}, {"eot", "<|user|>"}, {"unk", "<|endoftext|>"}, {"bos", "<|endoftext|>"}, {"eom", "<|observation|>"}};

// Files of the other classes have what the first one lacks; layers that predict ahead are dropped, as the reference does.
constexpr FolderRules deepseek2Folders[] = {
    {.classes = {"DeepseekV2ForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .dropsPrediction = true,
     .modelType = "deepseek_v2",
     .members = {{"expert_count", "n_routed_experts"}},
     .guess = {"q_lora_rank", "null"}},
    {.classes = {"Glm4MoeLiteForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .tokens = glmLiteTokens,
     .dropsPrediction = true,
     .markKey = "attention.q_lora_rank",
     .modelType = "glm4_moe_lite",
     .members = {{"expert_count", "n_routed_experts"}}},
    {.classes = {"DeepseekV3ForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .dropsPrediction = true,
     .markKey = "rope.scaling.yarn_log_multiplier",
     .modelType = "deepseek_v3",
     .members = {{"expert_count", "n_routed_experts"}}},
};

constexpr Family deepseekRecords[] = {
    {.architecture = "deepseek", .modelTypes = {{"deepseek"}}, .rope = Adjacent, .normalizesExperts = false},
    {.architecture = "deepseek2",
     .modelTypes = {{"deepseek_v2"}, {"deepseek_v3"}, {.name = "glm4_moe_lite", .preTokenizer = {"F01", "glm4"}}, {"kimi_k2"}},
     .folders = deepseek2Folders,
     .rope = Adjacent,
     .normalizesExperts = false,
     .yarnLogFactor = 0.1,
     .gatingOfSize = {47, 48, 154'880, Gating::Sigmoid},
     .runs = true},
};

} // namespace

const std::span<const Family> deepseek = deepseekRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/arch/families/latent_rules.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<15> channelDelta = {{
    {"self_attn.q_proj", "attn_q", Dim::ChannelHeads, Dim::Width, Copy, true, recurrent},
    {"self_attn.k_proj", "attn_k", Dim::ChannelHeads, Dim::Width, Copy, true, recurrent},
    {"self_attn.v_proj", "attn_v", Dim::ChannelHeads, Dim::Width, Copy, true, recurrent},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::ChannelHeads, Copy, true, recurrent},
    {"self_attn.q_conv1d.weight", "ssm_conv1d_q.weight", Dim::One, Dim::Taps, LeadingAxis, true, recurrent, Dim::ChannelHeads},
    {"self_attn.k_conv1d.weight", "ssm_conv1d_k.weight", Dim::One, Dim::Taps, LeadingAxis, true, recurrent, Dim::ChannelHeads},
    {"self_attn.v_conv1d.weight", "ssm_conv1d_v.weight", Dim::One, Dim::Taps, LeadingAxis, true, recurrent, Dim::ChannelHeads},
    {"self_attn.A_log", "ssm_a", Dim::Any, Dim::One, NegateExp, true, recurrent, Dim::One, RowOrder::Stored, true, Dim::One},
    {"self_attn.dt_bias", "ssm_dt.bias", Dim::ChannelHeads, Dim::None, Copy, true, recurrent},
    {"self_attn.b_proj", "ssm_beta", Dim::Any, Dim::Width, Copy, true, recurrent},
    {"self_attn.f_a_proj", "ssm_f_a", Dim::ChannelLength, Dim::Width, Copy, true, recurrent},
    {"self_attn.f_b_proj", "ssm_f_b", Dim::ChannelHeads, Dim::ChannelLength, Copy, true, recurrent},
    {"self_attn.g_a_proj", "ssm_g_a", Dim::ChannelLength, Dim::Width, Copy, true, recurrent},
    {"self_attn.g_b_proj", "ssm_g_b", Dim::ChannelHeads, Dim::ChannelLength, Copy, true, recurrent},
    {"self_attn.o_norm", "ssm_norm", Dim::ChannelLength, Dim::None, Copy, true, recurrent},
}};
constexpr TensorRules<8> deltaExperts = {{
    {"block_sparse_moe.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, sparse},
    {"block_sparse_moe.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, sparse},
    {"block_sparse_moe.experts.{}.w1", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack, true, sparse},
    {"block_sparse_moe.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack, true, sparse},
    {"block_sparse_moe.experts.{}.w3", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack, true, sparse},
    {"block_sparse_moe.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, sparse},
    {"block_sparse_moe.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, sparse},
    {"block_sparse_moe.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, sparse},
}};
constexpr auto channelDeltaLayer = joined(norms, channelDelta, latentQueries, latentKeysValues, gated, deltaExperts);

constexpr auto channelDeltaKeys = joined(KeyRules<2>{{blockCount, contextLength}}, widths,
                                         KeyRules<2>{{heads, {KeyHeadsByLayer, "attention.head_count_kv", {}, true}}}, afterHeads);
// The length of values stays that of a head (head_dim), of no account with latent attention.
constexpr KeyRules<11> channelDeltaOwnKeys = {{
    vocabularySize,
    {NestedNumber, "ssm.conv_kernel", {"linear_attn_config", "short_conv_kernel_size"}},
    {NestedNumber, "kda.head_dim", {"linear_attn_config", "head_dim"}},
    {Number, "attention.q_lora_rank", {"q_lora_rank"}},
    {Number, "attention.kv_lora_rank", {"kv_lora_rank"}, true},
    {Number, "rope.dimension_count", {"qk_rope_head_dim"}, true},
    {LatentKeyLengths, "attention"},
    expertWidth,
    {Number, "expert_shared_count", {"num_shared_experts"}},
    {Number, "leading_dense_block_count", {"first_k_dense_replace"}},
    {Float, "expert_weights_scale", {"routed_scaling_factor"}},
}};

constexpr FolderRules kimiFolders[] = {
    {.classes = {"KimiLinearForCausalLM"},
     .layer = channelDeltaLayer,
     .keys = channelDeltaKeys,
     .ownKeys = channelDeltaOwnKeys,
     .modelType = "kimi_linear",
     .members = {{"expert_count", "num_experts"},
                 {"expert_used_count", "num_experts_per_token"},
                 {"context_length", "model_max_length"},
                 {"expert_gating_func", "moe_router_activation_func"}}},
};

constexpr Family kimiRecords[] = {
    {.architecture = "kimi-linear",
     .modelTypes = {{.name = "kimi_linear", .preTokenizer = {"F20", "kimi-k2"}}},
     .folders = kimiFolders,
     .rope = RopeStyle::None,
     .gating = Gating::Sigmoid,
     .runs = true},
};

} // namespace

const std::span<const Family> kimi = kimiRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/families/families.h"

// Rules of folders whose models have multi-head latent attention and experts with an ungated shared one.
namespace wb::arch::records {

inline constexpr TensorRules<4> latentQueries = {{
    {"self_attn.q_proj", "attn_q", Dim::LatentQueries, Dim::Width, Copy, false, attending},
    {"self_attn.q_a_proj", "attn_q_a", Dim::QueryRank, Dim::Width, Copy, false, attending},
    {"self_attn.q_a_layernorm", "attn_q_a_norm", Dim::QueryRank, Dim::None, Copy, false, attending},
    {"self_attn.q_b_proj", "attn_q_b", Dim::LatentQueries, Dim::QueryRank, Copy, false, attending},
}};
inline constexpr TensorRules<5> latentKeysValues = {{
    {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa", Dim::LatentAndRotated, Dim::Width, Copy, true, attending},
    {"self_attn.kv_a_layernorm", "attn_kv_a_norm", Dim::KeyValueRank, Dim::None, Copy, true, attending},
    {"self_attn.kv_b_proj", "attn_k_b", Dim::LatentKeysValues, Dim::KeyValueRank, LatentKeys, true, attending},
    {"self_attn.kv_b_proj", "attn_v_b", Dim::LatentKeysValues, Dim::KeyValueRank, LatentValues, true, attending},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::LatentValues, Copy, true, attending},
}};
inline constexpr TensorRules<4> ungatedShared = {{
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, LayerKind::Sparse},
}};

inline constexpr auto afterLatentHeads = joined(KeyRules<1>{{{Number, "attention.head_count_kv", {}, false, 1}}}, afterHeads);
inline constexpr auto latentKeys = joined(KeyRules<2>{{blockCount, contextLength}}, widths, KeyRules<1>{{heads}}, afterLatentHeads);
inline constexpr KeyRules<10> latentRoutingKeys = {{
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
}};
inline constexpr KeyRules<1> yarnMultiplier = {{{RopeFloat, "rope.scaling.yarn_log_multiplier", {"mscale_all_dim"}}}};
inline constexpr auto latentOwnKeys = joined(latentRoutingKeys, yarnMultiplier);

// The special tokens of GLM models with such attention.
inline constexpr ExtraToken glmTokens[] = {
    {"eos", "<|endoftext|>"}, {"eot", "<|user|>"}, {"unk", "<|endoftext|>"}, {"bos", "<|endoftext|>"}, {"eom", "<|observation|>"}};

} // namespace wb::arch::records

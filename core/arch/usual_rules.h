// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/key_rule.h"
#include "core/arch/tensor_rule.h"

#include <algorithm>
#include <array>

// The rules that most families share, and the parts that the lists of families are made of.
namespace wb::arch {

template <std::size_t count>
using TensorRules = std::array<TensorRule, count>;
template <std::size_t count>
using KeyRules = std::array<KeyRule, count>;

// Lists one after another.
template <typename Rule, std::size_t... counts>
constexpr auto joined(const std::array<Rule, counts>&... lists) {
    std::array<Rule, (counts + ...)> all{};
    auto at = all.begin();
    ((at = std::ranges::copy(lists, at).out), ...);
    return all;
}

namespace usual {

using enum Transform;

// Tensors outside layers.
inline constexpr TensorRules<2> embeddingAndNorm = {{
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.norm", "output_norm", Dim::Width},
}};
inline constexpr TensorRules<1> head = {{{"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false}}};
inline constexpr auto outer = joined(embeddingAndNorm, head);

// Tensors of a layer.
inline constexpr TensorRules<4> attention = {{
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width, PermuteQueries},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, PermuteKeys},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries},
}};
inline constexpr TensorRules<2> norms = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_attention_layernorm", "ffn_norm", Dim::Width},
}};
inline constexpr TensorRules<1> parallelNorm = {{{"input_layernorm", "attn_norm", Dim::Width}}};
inline constexpr TensorRules<2> normsAround = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
}};
inline constexpr TensorRules<2> normsAfter = {{
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width},
}};
inline constexpr TensorRules<2> headNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength},
}};
inline constexpr TensorRules<3> gated = {{
    {"mlp.gate_proj", "ffn_gate", Dim::FeedForward, Dim::Width, Copy, true, LayerKind::Dense},
    {"mlp.up_proj", "ffn_up", Dim::FeedForward, Dim::Width, Copy, true, LayerKind::Dense},
    {"mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward, Copy, true, LayerKind::Dense},
}};
inline constexpr TensorRules<2> fusedGate = {{
    {"mlp.gate_up_proj", "ffn_up", Dim::GateAndUp, Dim::Width},
    {"mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward},
}};
inline constexpr TensorRules<4> experts = {{
    {"mlp.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"mlp.experts.{}.down_proj", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack, true, LayerKind::Sparse},
    {"mlp.experts.{}.gate_proj", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
    {"mlp.experts.{}.up_proj", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
}};
// An expert that every token goes through, times a gate.
inline constexpr TensorRules<4> sharedExpert = {{
    {"mlp.shared_expert.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, true, LayerKind::Sparse},
    {"mlp.shared_expert.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, true, LayerKind::Sparse},
    {"mlp.shared_expert.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, true, LayerKind::Sparse},
    {"mlp.shared_expert_gate", "ffn_gate_inp_shexp", Dim::One, Dim::Width, Copy, true, LayerKind::Sparse},
}};
inline constexpr auto denseLayer = joined(norms, attention, gated);

using enum KeyKind;

inline constexpr KeyRule blockCount = {Number, "block_count", {"n_layers", "num_hidden_layers", "n_layer", "num_layers"}, true};
inline constexpr KeyRule contextLength = {
    Number,
    "context_length",
    {"max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"},
    true};
inline constexpr KeyRule embeddingLength = {Number, "embedding_length", {"hidden_size", "n_embd", "dim"}, true};
inline constexpr KeyRule feedForward = {
    Number,
    "feed_forward_length",
    {"prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim"},
    true};
inline constexpr KeyRule heads = {Number, "attention.head_count", {"num_attention_heads", "n_head", "n_heads"}, true};
inline constexpr KeyRule keyHeads = {Number, "attention.head_count_kv", {"num_key_value_heads", "n_kv_heads"}};
inline constexpr KeyRule rmsEpsilon = {Float, "attention.layer_norm_rms_epsilon", {"rms_norm_eps", "norm_eps"}};
inline constexpr KeyRule normEpsilon = {
    Float, "attention.layer_norm_epsilon", {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}};
inline constexpr KeyRule headLength = {HeadLength, "attention"};
inline constexpr KeyRule ropeBase = {RopeBase, "rope.freq_base"};

inline constexpr KeyRules<2> widths = {{embeddingLength, feedForward}};
inline constexpr KeyRules<2> headCounts = {{heads, keyHeads}};
inline constexpr KeyRule gating = {
    Gating,
    "expert_gating_func",
    {"score_function", "scoring_func", "score_func", "moe_router_activation", "moe_router_activation_func"}};
inline constexpr KeyRules<9> afterHeads = {{
    {RopeScaling, "rope"},
    rmsEpsilon,
    normEpsilon,
    {Number, "expert_count", {"num_local_experts", "num_experts", "n_routed_experts"}},
    {Number, "expert_used_count", {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"}},
    {Number, "expert_group_count", {"n_group"}},
    {Number, "expert_group_used_count", {"topk_group"}},
    gating,
    headLength,
}};
inline constexpr auto keys = joined(KeyRules<2>{{blockCount, contextLength}}, widths, headCounts, afterHeads);

// Keys after general.file_type that several families have.
inline constexpr KeyRule vocabularySize = {Number, "vocab_size", {"vocab_size"}, true};
inline constexpr KeyRule ropeLength = {RopeLength, "rope.dimension_count"};
inline constexpr KeyRule window = {Number, "attention.sliding_window", {"sliding_window"}};
inline constexpr KeyRule windowPattern = {WindowPattern, "attention.sliding_window_pattern"};
inline constexpr KeyRule expertWidth = {Number, "expert_feed_forward_length", {"moe_intermediate_size"}};
inline constexpr KeyRule finalSoftcap = {Float, "final_logit_softcapping", {"final_logit_softcapping"}};
inline constexpr KeyRules<2> vocabularyAndRope = {{vocabularySize, ropeLength}};

} // namespace usual
} // namespace wb::arch

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<11> convolutionLayer = {{
    {"operator_norm", "attn_norm", Dim::Width},
    {"ffn_norm", "ffn_norm", Dim::Width},
    {"conv.conv", "shortconv.conv", Dim::One, Dim::Taps, Squeeze, true, recurrent, Dim::Width},
    {"conv.in_proj", "shortconv.in_proj", Dim::Any, Dim::Width, Copy, true, recurrent},
    {"conv.out_proj", "shortconv.out_proj", Dim::Width, Dim::Width, Copy, true, recurrent},
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width, Copy, true, attending},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"self_attn.out_proj", "attn_output", Dim::Width, Dim::Queries, Copy, true, attending},
    {"self_attn.q_layernorm", "attn_q_norm", Dim::HeadLength, Dim::None, Copy, true, attending},
    {"self_attn.k_layernorm", "attn_k_norm", Dim::HeadLength, Dim::None, Copy, true, attending},
}};
constexpr TensorRules<3> denseParts = {{
    {"feed_forward.w1", "ffn_gate", Dim::FeedForward, Dim::Width, Copy, true, LayerKind::Dense},
    {"feed_forward.w2", "ffn_down", Dim::Width, Dim::FeedForward, Copy, true, LayerKind::Dense},
    {"feed_forward.w3", "ffn_up", Dim::FeedForward, Dim::Width, Copy, true, LayerKind::Dense},
}};
constexpr TensorRules<5> expertParts = {{
    {"feed_forward.expert_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, LayerKind::Sparse},
    {"feed_forward.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"feed_forward.experts.{}.w1", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
    {"feed_forward.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack, true, LayerKind::Sparse},
    {"feed_forward.experts.{}.w3", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack, true, LayerKind::Sparse},
}};
constexpr auto lfm2Layer = joined(convolutionLayer, denseParts);
constexpr auto lfm2moeLayer = joined(convolutionLayer, denseParts, expertParts);
// The final norm.
constexpr TensorRules<2> lfm2Outer = {{
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.embedding_norm", "token_embd_norm", Dim::Width},
}};

constexpr auto lfm2Keys = joined(KeyRules<2>{{blockCount, contextLength}}, widths,
                                 KeyRules<2>{{heads, {KeyHeadsByLayer, "attention.head_count_kv"}}}, afterHeads);
constexpr KeyRules<2> lfm2OwnKeys = {{vocabularySize, {Number, "shortconv.l_cache", {"conv_L_cache"}}}};
constexpr KeyRules<3> lfm2moeRouting = {{
    expertWidth,
    {Number, "leading_dense_block_count", {"num_dense_layers"}},
    {Number, "expert_gating_func", {}, false, 2}, // sigmoid
}};
constexpr auto lfm2moeOwnKeys = joined(lfm2moeRouting, lfm2OwnKeys);

constexpr FolderRules lfm2Folders[] = {
    {.classes = {"Lfm2ForCausalLM"},
     .layer = lfm2Layer,
     .outer = lfm2Outer,
     .keys = lfm2Keys,
     .ownKeys = lfm2OwnKeys,
     .modelType = "lfm2",
     .guess = {"block_auto_adjust_ff_dim", "false"}},
};

constexpr FolderRules lfm2moeFolders[] = {
    {.classes = {"Lfm2MoeForCausalLM"},
     .layer = lfm2moeLayer,
     .outer = lfm2Outer,
     .keys = lfm2Keys,
     .ownKeys = lfm2moeOwnKeys,
     .modelType = "lfm2_moe",
     .members = {{"expert_count", "num_experts"}},
     .guess = {"norm_topk_prob", "true"}},
};

constexpr Family lfmRecords[] = {
    {.architecture = "lfm2",
     .modelTypes = {{.name = "lfm2", .preTokenizer = {"F01", "lfm2"}}},
     .folders = lfm2Folders,
     .queryKeyNorm = Head,
     .tied = true,
     .runs = true},
    {.architecture = "lfm2moe",
     .modelTypes = {{.name = "lfm2_moe", .preTokenizer = {"F01", "lfm2"}}},
     .folders = lfm2moeFolders,
     .queryKeyNorm = Head,
     .tied = true,
     .gating = Gating::Sigmoid,
     .runs = true},
};

} // namespace

const std::span<const Family> lfm = lfmRecords;

} // namespace wb::arch::records

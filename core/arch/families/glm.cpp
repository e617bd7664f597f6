// SPDX-License-Identifier: MIT
#include "core/arch/families/latent_rules.h"

namespace wb::arch::records {
namespace {

// The streams, the indexer and the recurrent gates.
constexpr std::string_view glm5Kept[] = {"hc_",
                                         "indexer.attn_q_b",
                                         "indexer.attn_k",
                                         "indexer.proj",
                                         "indexer_compressor_gate",
                                         "indexer_compressor_ape",
                                         "ssm_f_a.weight",
                                         "ssm_f_b.weight",
                                         "ssm_g_a.weight",
                                         "ssm_g_b.weight",
                                         "ssm_beta.weight",
                                         "attn_kv_a_mqa.weight",
                                         "attn_k_b.weight",
                                         "attn_v_b.weight"};
// Low-rank queries and the projection of the next-token block.
constexpr std::string_view glm5EightBits[] = {"attn_q_a", "attn_q_b", "nextn.eh_proj"};

// Values in transformers of members that config.json omits.
constexpr MemberValue glm4Members[] = {
    {"head_dim", "128"}, {"partial_rotary_factor", "0.5"}, {"rms_norm_eps", "1.5625e-07"}, {"rope_theta", "10000.0"}};
constexpr MemberValue glm4MoeMembers[] = {
    {"num_experts_per_tok", "8"}, {"partial_rotary_factor", "0.5"}, {"rms_norm_eps", "1e-05"}, {"rope_theta", "10000.0"}};

constexpr TensorRules<4> glm4Norms = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_self_attn_layernorm", "post_attention_norm", Dim::Width},
    {"post_attention_layernorm", "ffn_norm", Dim::Width},
    {"post_mlp_layernorm", "post_ffw_norm", Dim::Width},
}};
constexpr TensorRules<6> glm4moeParts = {{
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, LayerKind::Sparse},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, LayerKind::Sparse},
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength, Dim::None, Copy, false},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, Copy, false},
}};
// Of the layer that predicts ahead.
constexpr TensorRules<6> glmPrediction = {{
    {"eh_proj", "nextn.eh_proj", Dim::Width, Dim::Any, Copy, false},
    {"embed_tokens", "nextn.embed_tokens", Dim::Vocabulary, Dim::Width, Copy, false},
    {"enorm", "nextn.enorm", Dim::Width, Dim::None, Copy, false},
    {"hnorm", "nextn.hnorm", Dim::Width, Dim::None, Copy, false},
    {"shared_head.head", "nextn.shared_head_head", Dim::Vocabulary, Dim::Width, Copy, false},
    {"shared_head.norm", "nextn.shared_head_norm", Dim::Width, Dim::None, Copy, false},
}};
constexpr auto glm4Layer = joined(glm4Norms, attention, fusedGate);
constexpr auto glm4moeLayer = joined(normsAround, attention, gated, experts, glm4moeParts, glmPrediction);
constexpr auto glm4moeKeys = joined(KeyRules<2>{{{BlockCount, "block_count"}, contextLength}}, widths, headCounts, afterHeads);
constexpr KeyRule glmRotatedPart = {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 0.5};
constexpr KeyRules<1> glm4OwnKeys = {{glmRotatedPart}};
constexpr KeyRules<8> glm4moeOwnKeys = {{
    glmRotatedPart,
    expertWidth,
    {Number, "expert_shared_count", {"n_shared_experts"}},
    {Number, "leading_dense_block_count", {"first_k_dense_replace"}},
    {Number, "expert_gating_func", {}, false, 2}, // sigmoid
    {Float, "expert_weights_scale", {"routed_scaling_factor"}},
    {Truth, "expert_weights_norm", {"norm_topk_prob"}},
    {Number, "nextn_predict_layers", {"num_nextn_predict_layers"}},
}};
constexpr ExtraToken glm4Tokens[] = {
    {"eos", "<|endoftext|>"}, {"eot", "<|user|>"}, {"unk", "<|endoftext|>"}, {"bos", "<|endoftext|>"}};

// Every layer attends to tokens that an indexer chose: its own or, if it has none, that of the last layer that has one.
constexpr TensorRules<4> indexer = {{
    {"self_attn.indexer.wq_b", "indexer.attn_q_b", Dim::Any, Dim::QueryRank, Copy, false},
    {"self_attn.indexer.wk", "indexer.attn_k", Dim::Any, Dim::Width, Copy, false},
    {"self_attn.indexer.k_norm", "indexer.k_norm", Dim::Any, Dim::None, Copy, false},
    {"self_attn.indexer.weights_proj", "indexer.proj", Dim::Any, Dim::Width, Copy, false},
}};
constexpr auto sparseAttentionLayer =
    joined(norms, latentQueries, latentKeysValues, indexer, gated, experts, ungatedShared, glmPrediction);
constexpr auto sparseAttentionKeys =
    joined(KeyRules<2>{{{BlockCount, "block_count"}, contextLength}}, widths, KeyRules<1>{{heads}}, afterLatentHeads);
constexpr KeyRules<5> indexerKeys = {{
    {Number, "nextn_predict_layers", {"num_nextn_predict_layers"}},
    {Number, "attention.indexer.head_count", {"index_n_heads"}, true},
    {Number, "attention.indexer.key_length", {"index_head_dim"}, true},
    {Number, "attention.indexer.top_k", {"index_topk"}, true},
    {IndexerByLayer, "attention.indexer.types", {"indexer_types"}},
}};
constexpr auto sparseAttentionOwnKeys = joined(latentOwnKeys, indexerKeys);

constexpr FolderRules glmDsaFolders[] = {
    {.classes = {"GlmMoeDsaForCausalLM"},
     .layer = sparseAttentionLayer,
     .keys = sparseAttentionKeys,
     .ownKeys = sparseAttentionOwnKeys,
     .tokens = glmTokens,
     .modelType = "glm_moe_dsa",
     .members = {{"expert_count", "n_routed_experts"}}},
};

constexpr FolderRules glm4Folders[] = {
    {.classes = {"Glm4ForCausalLM"}, .layer = glm4Layer, .ownKeys = glm4OwnKeys, .tokens = glm4Tokens, .modelType = "glm4"},
};

constexpr FolderRules glm4moeFolders[] = {
    {.classes = {"Glm4MoeForCausalLM"},
     .layer = glm4moeLayer,
     .keys = glm4moeKeys,
     .ownKeys = glm4moeOwnKeys,
     .tokens = glmTokens,
     .modelType = "glm4_moe",
     .members = {{"expert_count", "n_routed_experts"}}},
};

constexpr Family glmRecords[] = {
    {.architecture = "chatglm", .modelTypes = {{"chatglm"}}, .rope = Adjacent},
    {.architecture = "glm4",
     .modelTypes = {{.name = "glm4", .defaults = glm4Members, .preTokenizer = {"F01", "glm4"}}},
     .folders = glm4Folders,
     .placement = NormPlacement::Both,
     .rope = Adjacent,
     .runs = true},
    {.architecture = "glm4moe",
     .modelTypes = {{.name = "glm4_moe", .defaults = glm4MoeMembers, .preTokenizer = {"F01", "glm4"}}},
     .parts = postAttentionNorm,
     .folders = glm4moeFolders,
     .gating = Gating::Sigmoid,
     .keepsPredictionLayers = true,
     .runs = true},
    {.architecture = "glm-dsa",
     .modelTypes = {{.name = "glm_moe_dsa", .preTokenizer = {"F01", "glm4"}}},
     .folders = glmDsaFolders,
     .rope = Adjacent,
     .gating = Gating::Sigmoid,
     .normalizesExperts = false,
     .keepsPredictionLayers = true,
     .indexer = IndexerKind::Token,
     .sharedIndexContext = 1'048'576,
     .runs = true},
    {.architecture = "glm5-next", .isPartial = true, .mix = {.neverQuantized = glm5Kept, .eightBits = glm5EightBits}},
};

} // namespace

const std::span<const Family> glm = glmRecords;

} // namespace wb::arch::records

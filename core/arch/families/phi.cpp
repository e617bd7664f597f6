// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue phiMembers[] = {{"layer_norm_eps", "1e-05"}, {"partial_rotary_factor", "0.5"}, {"rope_theta", "10000.0"}};
constexpr MemberValue phi3Members[] = {
    {"original_max_position_embeddings", "4096"}, {"rms_norm_eps", "1e-05"}, {"rope_theta", "10000.0"}};

constexpr TensorRules<7> phi2Layer = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width},
    {"self_attn.dense", "attn_output", Dim::Width, Dim::Queries},
    {"mlp.fc1", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.fc2", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr TensorRules<3> phi2Outer = {{
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.final_layernorm", "output_norm", Dim::Width},
    {"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false},
}};
constexpr TensorRules<2> phi3Attention = {{
    {"self_attn.qkv_proj", "attn_qkv", Dim::QueriesKeysValues, Dim::Width},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries},
}};
constexpr auto phi3Layer = joined(norms, phi3Attention, fusedGate);
constexpr KeyRule phiRotatedPart = {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 1};
constexpr KeyRules<8> phi2Keys = {{contextLength,
                                   embeddingLength,
                                   feedForward,
                                   blockCount,
                                   heads,
                                   {Number, "attention.head_count_kv", {"num_attention_heads", "n_head"}, true},
                                   normEpsilon,
                                   phiRotatedPart}};
constexpr KeyRules<11> phi3Keys = {{
    {LongRopeFactor, "rope.scaling.attn_factor"},
    contextLength,
    {Number, "rope.scaling.original_context_length", {"original_max_position_embeddings"}, true},
    embeddingLength,
    feedForward,
    blockCount,
    heads,
    {Number, "attention.head_count_kv", {"num_key_value_heads", "n_head_kv", "num_attention_heads"}, true},
    rmsEpsilon,
    phiRotatedPart,
    ropeBase,
}};
constexpr KeyRules<1> phi2OwnKeys = {{{Truth, "tokenizer.ggml.add_bos_token", {}, false, 0}}};
constexpr KeyRules<1> phi3OwnKeys = {{{Number, "attention.sliding_window", {"sliding_window"}, false, 0}}}; // 0 marks Phi-4

constexpr FolderRules phi2Folders[] = {
    {.classes = {"PhiForCausalLM"},
     .layer = phi2Layer,
     .outer = phi2Outer,
     .keys = phi2Keys,
     .ownKeys = phi2OwnKeys,
     .modelType = "phi",
     .activation = "gelu_new",
     .biasMembers = {}},
};

constexpr FolderRules phi3Folders[] = {
    {.classes = {"Phi3ForCausalLM"}, .layer = phi3Layer, .keys = phi3Keys, .ownKeys = phi3OwnKeys, .modelType = "phi3"},
};

constexpr Family phiRecords[] = {
    {.architecture = "phi2",
     .modelTypes = {{.name = "phi", .defaults = phiMembers}},
     .folders = phi2Folders,
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .parallel = true,
     .runs = true},
    {.architecture = "phi3",
     .modelTypes = {{.name = "phi3", .defaults = phi3Members}},
     .folders = phi3Folders,
     .runs = true,
     .stripping = {StripKind::AfterSpecial, {"phi-3", "phi3"}}},
    {.architecture = "phimoe", .modelTypes = {{"phimoe"}}, .norm = NormKind::Layer},
};

} // namespace

const std::span<const Family> phi = phiRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/convert/convert/family_table.h"

#include <algorithm>

namespace wb::conversion {
namespace {

using enum Transform;

constexpr NameRule outer[] = {
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.norm", "output_norm", Dim::Width},
    {"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false},
};

#define WB_ATTENTION                                                                                                               \
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width, PermuteQueries},                                                      \
        {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, PermuteKeys},                                                   \
        {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width}, {                                                              \
        "self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries                                                                \
    }
#define WB_NORMS                                                                                                                   \
    {"input_layernorm", "attn_norm", Dim::Width}, { "post_attention_layernorm", "ffn_norm", Dim::Width }
#define WB_HEAD_NORMS                                                                                                              \
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength}, { "self_attn.k_norm", "attn_k_norm", Dim::HeadLength }
#define WB_GATED                                                                                                                   \
    {"mlp.gate_proj", "ffn_gate", Dim::FeedForward, Dim::Width}, {"mlp.up_proj", "ffn_up", Dim::FeedForward, Dim::Width}, {        \
        "mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward                                                                  \
    }
#define WB_EXPERTS                                                                                                                 \
    {"mlp.gate", "ffn_gate_inp", Dim::Experts, Dim::Width},                                                                        \
        {"mlp.experts.{}.down_proj", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack},                                        \
        {"mlp.experts.{}.gate_proj", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack}, {                                      \
        "mlp.experts.{}.up_proj", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack                                               \
    }

constexpr NameRule dense[] = {WB_NORMS, WB_ATTENTION, WB_GATED};
constexpr NameRule denseHeadNorms[] = {WB_NORMS, WB_ATTENTION, WB_HEAD_NORMS, WB_GATED};
constexpr NameRule mixtral[] = {
    WB_NORMS,
    WB_ATTENTION,
    {"block_sparse_moe.gate", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.experts.{}.w1", "ffn_gate_exps", Dim::FeedForward, Dim::Width, Stack},
    {"block_sparse_moe.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::FeedForward, Stack},
    {"block_sparse_moe.experts.{}.w3", "ffn_up_exps", Dim::FeedForward, Dim::Width, Stack},
};
constexpr NameRule qwen2moe[] = {
    WB_NORMS,
    WB_ATTENTION,
    WB_EXPERTS,
    {"mlp.shared_expert.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width},
    {"mlp.shared_expert.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width},
    {"mlp.shared_expert.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any},
    {"mlp.shared_expert_gate", "ffn_gate_inp_shexp", Dim::One, Dim::Width},
};
constexpr NameRule qwen3moe[] = {WB_NORMS, WB_ATTENTION, WB_HEAD_NORMS, WB_EXPERTS};
constexpr NameRule olmo2[] = {
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width},
    WB_ATTENTION,
    {"self_attn.q_norm", "attn_q_norm", Dim::Queries},
    {"self_attn.k_norm", "attn_k_norm", Dim::KeyValues},
    WB_GATED,
};
constexpr NameRule starcoder2[] = {
    WB_NORMS,
    WB_ATTENTION,
    {"mlp.c_fc", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.c_proj", "ffn_down", Dim::Width, Dim::FeedForward},
};

#undef WB_ATTENTION
#undef WB_NORMS
#undef WB_HEAD_NORMS
#undef WB_GATED
#undef WB_EXPERTS

using enum PairKind;

constexpr PairRule common[] = {
    {Number, "block_count", {"n_layers", "num_hidden_layers", "n_layer", "num_layers"}, true},
    {Number,
     "context_length",
     {"max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"},
     true},
    {Number, "embedding_length", {"hidden_size", "n_embd", "dim"}, true},
    {Number,
     "feed_forward_length",
     {"prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim"},
     true},
    {Number, "attention.head_count", {"num_attention_heads", "n_head", "n_heads"}, true},
    {Number, "attention.head_count_kv", {"num_key_value_heads", "n_kv_heads"}},
    {RopeScaling, "rope"},
    {Float, "attention.layer_norm_rms_epsilon", {"rms_norm_eps", "norm_eps"}},
    {Float, "attention.layer_norm_epsilon", {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}},
    {Number, "expert_count", {"num_local_experts", "num_experts", "n_routed_experts"}},
    {Number, "expert_used_count", {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"}},
    {Number, "expert_group_count", {"n_group"}},
    {Number, "expert_group_used_count", {"topk_group"}},
    {HeadLength, "attention"},
};

constexpr PairRule vocabularySize = {Number, "vocab_size", {"vocab_size"}, true};
constexpr PairRule ropeLength = {RopeLength, "rope.dimension_count"};
constexpr PairRule llamaPairs[] = {vocabularySize, ropeLength};
constexpr PairRule granitePairs[] = {
    vocabularySize,
    ropeLength,
    {Float, "attention.scale", {"attention_multiplier"}},
    {Float, "embedding_scale", {"embedding_multiplier"}},
    {Float, "residual_scale", {"residual_multiplier"}},
    {Float, "logit_scale", {"logits_scaling"}},
};
constexpr PairRule expertWidth = {Number, "expert_feed_forward_length", {"moe_intermediate_size"}};
constexpr PairRule qwen3moePairs[] = {expertWidth};
constexpr PairRule qwen2moePairs[] = {expertWidth,
                                      {Number, "expert_shared_feed_forward_length", {"shared_expert_intermediate_size"}}};

constexpr std::string_view llamaClasses[] = {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM"};
constexpr std::string_view mixtralClasses[] = {"MixtralForCausalLM"};
constexpr std::string_view smollm3Classes[] = {"SmolLM3ForCausalLM"};
constexpr std::string_view graniteClasses[] = {"GraniteForCausalLM"};
constexpr std::string_view qwen2Classes[] = {"Qwen2ForCausalLM"};
constexpr std::string_view qwen2moeClasses[] = {"Qwen2MoeForCausalLM"};
constexpr std::string_view qwen3Classes[] = {"Qwen3ForCausalLM"};
constexpr std::string_view qwen3moeClasses[] = {"Qwen3MoeForCausalLM"};
constexpr std::string_view olmo2Classes[] = {"Olmo2ForCausalLM"};
constexpr std::string_view starcoder2Classes[] = {"Starcoder2ForCausalLM"};

constexpr ConvertFamily table[] = {
    {.classes = llamaClasses, .architecture = "llama", .layer = dense, .own = llamaPairs, .permutes = true, .isLlama = true},
    {.classes = mixtralClasses, .architecture = "llama", .layer = mixtral, .own = llamaPairs, .permutes = true, .isLlama = true},
    {.classes = smollm3Classes, .architecture = "smollm3", .layer = dense, .own = llamaPairs, .permutes = true, .isLlama = true},
    {.classes = graniteClasses,
     .architecture = "granite",
     .layer = dense,
     .own = granitePairs,
     .permutes = true,
     .ignoresHeadLength = true,
     .isLlama = true},
    {.classes = qwen2Classes, .architecture = "qwen2", .layer = dense, .own = {}},
    {.classes = qwen2moeClasses, .architecture = "qwen2moe", .layer = qwen2moe, .own = qwen2moePairs},
    {.classes = qwen3Classes, .architecture = "qwen3", .layer = denseHeadNorms, .own = {}},
    {.classes = qwen3moeClasses, .architecture = "qwen3moe", .layer = qwen3moe, .own = qwen3moePairs},
    {.classes = olmo2Classes, .architecture = "olmo2", .layer = olmo2, .own = {}},
    {.classes = starcoder2Classes, .architecture = "starcoder2", .layer = starcoder2, .own = {}},
};

} // namespace

const char* transformName(Transform transform) {
    switch (transform) {
    case Copy: return "copy";
    case PermuteQueries:
    case PermuteKeys: return "permute";
    case Stack: break;
    }
    return "stack";
}

const ConvertFamily* familyOfClass(std::string_view modelClass) {
    for (const ConvertFamily& family : table)
        if (std::ranges::find(family.classes, modelClass) != family.classes.end()) return &family;
    return nullptr;
}

std::span<const ConvertFamily> convertFamilies() { return table; }
std::span<const NameRule> outerRules() { return outer; }
std::span<const PairRule> commonPairs() { return common; }

} // namespace wb::conversion

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue gpt2Members[] = {{"layer_norm_epsilon", "1e-05"}};

constexpr TensorRules<6> gpt2Layer = {{
    {"ln_1", "attn_norm", Dim::Width},
    {"attn.c_attn", "attn_qkv", Dim::Width, Dim::QueriesKeysValues, Transpose},
    {"attn.c_proj", "attn_output", Dim::Width, Dim::Width, Transpose},
    {"ln_2", "ffn_norm", Dim::Width},
    {"mlp.c_fc", "ffn_up", Dim::Width, Dim::FeedForward, Transpose},
    {"mlp.c_proj", "ffn_down", Dim::FeedForward, Dim::Width, Transpose},
}};
constexpr TensorRules<4> gpt2Outer = {{
    {"wte", "token_embd", Dim::Vocabulary, Dim::Width},
    {"wpe", "position_embd", Dim::Any, Dim::Width},
    {"ln_f", "output_norm", Dim::Width},
    {"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false},
}};
constexpr KeyRules<6> gpt2Keys = {
    {blockCount, contextLength, embeddingLength, {FourWidths, "feed_forward_length"}, heads, normEpsilon}};

constexpr FolderRules gpt2Folders[] = {
    {.classes = {"GPT2LMHeadModel"},
     .layer = gpt2Layer,
     .outer = gpt2Outer,
     .keys = gpt2Keys,
     .layerPrefix = "h.",
     .outerPrefix = "transformer.",
     .modelType = "gpt2",
     .activation = "gelu_new",
     .activationKey = "activation_function",
     .biasMembers = {},
     .members = {{"block_count", "n_layer"},
                 {"context_length", "n_positions"},
                 {"embedding_length", "n_embd"},
                 {"attention.head_count", "n_head"},
                 {"attention.layer_norm_epsilon", "layer_norm_epsilon"}}},
};

constexpr Family gptRecords[] = {
    {.architecture = "gpt2",
     .modelTypes = {{.name = "gpt2", .defaults = gpt2Members}},
     .folders = gpt2Folders,
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .learnedPositions = true,
     .fourfoldFeedForward = true,
     .runs = true},
    {.architecture = "gptneox",
     .modelTypes = {{"gpt_neox"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .parallel = true},
};

} // namespace

const std::span<const Family> gpt = gptRecords;

} // namespace wb::arch::records

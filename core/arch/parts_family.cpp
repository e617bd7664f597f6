// SPDX-License-Identifier: MIT
#include "core/arch/part_table.h"

namespace wb::arch {
namespace {

using enum Role;

// docs/reference/docs/reference/conversion.md, "Names": one word of Hugging Face, different places in the layer.
constexpr FamilyPart families[] = {
    {"gemma2 gemma3 gemma4 gptoss olmo2 olmo3 exaone4 qwen3next qwen35 glm4moe",
     {"post_attention_norm", Norm, "post_attention_layernorm"}},
    // In these families attn_qkv and attn_gate exist in the layers of linear attention only.
    {"qwen3next qwen35", {"attn_qkv", Recurrent, "attn_qkv"}},
    {"qwen3next qwen35", {"attn_gate", Recurrent, "attn_gate"}},
};

// More telling words first: a norm inside an attention block is a norm.
constexpr RoleWord words[] = {
    {"norm", Norm},        {".ln_", Norm},           {"layer_scale", Norm}, {"experts", Experts}, {"router", Router},
    {"attn", Attention},   {"attention", Attention}, {"mlp", Mlp},          {"ffn", Mlp},         {"feed_forward", Mlp},
    {"lstm", Recurrent},   {"gru", Recurrent},       {"rnn", Recurrent},    {"ssm", Recurrent},   {"mamba", Recurrent},
    {"conv", Convolution}, {"embed", Embedding},     {"embd", Embedding},   {"lm_head", Output},  {"classifier", Output},
};

} // namespace

std::span<const FamilyPart> familyParts() { return families; }
std::span<const RoleWord> roleWords() { return words; }

} // namespace wb::arch

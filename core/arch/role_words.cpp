// SPDX-License-Identifier: MIT
#include "core/arch/part_table.h"

namespace wb::arch {
namespace {

using enum Role;

// More telling words first: a norm inside an attention block is a norm.
constexpr RoleWord words[] = {
    {"norm", Norm},        {".ln_", Norm},           {"layer_scale", Norm}, {"experts", Experts}, {"router", Router},
    {"attn", Attention},   {"attention", Attention}, {"mlp", Mlp},          {"ffn", Mlp},         {"feed_forward", Mlp},
    {"lstm", Recurrent},   {"gru", Recurrent},       {"rnn", Recurrent},    {"ssm", Recurrent},   {"mamba", Recurrent},
    {"conv", Convolution}, {"embed", Embedding},     {"embd", Embedding},   {"lm_head", Output},  {"classifier", Output},
};

} // namespace

std::span<const RoleWord> roleWords() { return words; }

} // namespace wb::arch

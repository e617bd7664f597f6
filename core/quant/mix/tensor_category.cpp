// SPDX-License-Identifier: MIT
#include "core/quant/mix/tensor_category.h"

#include <algorithm>
#include <array>

namespace wb::quant {
namespace {

struct Pattern {
    std::string_view part;
    Category category;
};

using enum Category;
constexpr std::array contained = {
    Pattern{"attn_qkv.weight", Qkv}, Pattern{"attn_kv_b.weight", KvB}, Pattern{"attn_v.weight", V},
    Pattern{"attn_k.weight", K},     Pattern{"attn_q.weight", Q},      Pattern{"attn_output.weight", O},
    Pattern{"ffn_up", Up},           Pattern{"ffn_gate", Gate},        Pattern{"ffn_down", Down},
};

// Norms, routers, small mixers and the parts of vision and audio encoders: tiny, and ruined by quantization.
constexpr std::array<std::string_view, 35> neverQuantized = {
    "_norm.weight",
    "ffn_gate_inp.weight",
    "ffn_gate_tid2eid.weight",
    "altup",
    "laurel",
    "per_layer_model_proj",
    "ssm_conv1d",
    "shortconv.conv.weight",
    "indexer.k_proj.weight",
    "indexer.q_proj.weight",
    "time_mix_first.weight",
    "time_mix_w0.weight",
    "time_mix_w1.weight",
    "time_mix_w2.weight",
    "time_mix_v0.weight",
    "time_mix_v1.weight",
    "time_mix_v2.weight",
    "time_mix_a0.weight",
    "time_mix_a1.weight",
    "time_mix_a2.weight",
    "time_mix_g1.weight",
    "time_mix_g2.weight",
    "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight",
    "time_mix_lerp_fused.weight",
    "attn_rel_b.weight",
    ".position_embd",
    "sam.pos_embd",
    "sam.neck.",
    "sam.net_",
    ".rel_pos",
    ".patch_embd",
    ".patch_merger",
    "a.rvq.codebook",
    "mm.a.code_embd",
};

// Where a suffix of six letters would start; before the first letter of a name of five the reference's arithmetic wraps, and it
// takes such a name for a weight.
bool isWeight(std::string_view name) { return name.ends_with("weight") || name.size() == 5; }

} // namespace

bool containsOneOf(std::string_view name, std::span<const std::string_view> parts) {
    return std::ranges::any_of(parts, [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

Category tensorCategory(std::string_view name) {
    if (name == "output.weight") return Output;
    if (name == "token_embd.weight" || name == "per_layer_token_embd.weight") return TokenEmbedding;
    for (const Pattern& pattern : contained)
        if (name.find(pattern.part) != std::string_view::npos) return pattern.category;
    return Other;
}

bool isNeverQuantized(std::string_view name, const arch::MixRules& rules) {
    if (!isWeight(name) || name == "position_embd.weight" || name == "token_types.weight") return true;
    return containsOneOf(name, neverQuantized) || containsOneOf(name, rules.neverQuantized);
}

} // namespace wb::quant

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue stablelmMembers[] = {
    {"layer_norm_eps", "1e-05"}, {"partial_rotary_factor", "0.25"}, {"rope_theta", "10000.0"}, {"use_parallel_residual", "false"}};

// StableLM 2 of 12 B normalizes each head and has no second norm.
constexpr TensorRules<3> stablelmNorms = {{
    {"post_attention_layernorm", "ffn_norm", Dim::Width, Dim::None, Copy, false},
    {"self_attn.q_layernorm.norms.{}", "attn_q_norm", Dim::HeadLength, Dim::None, StackHeads, false},
    {"self_attn.k_layernorm.norms.{}", "attn_k_norm", Dim::HeadLength, Dim::None, StackHeads, false},
}};
constexpr auto stablelmLayer = joined(parallelNorm, stablelmNorms, attention, gated);
constexpr KeyRules<9> stablelmKeys = {{contextLength,
                                       embeddingLength,
                                       blockCount,
                                       feedForward,
                                       {RopePart, "rope.dimension_count", {"partial_rotary_factor", "rope_pct"}, false, 0.25},
                                       heads,
                                       keyHeads,
                                       {Truth, "use_parallel_residual", {"use_parallel_residual"}, false, 1},
                                       normEpsilon}};

constexpr FolderRules stablelmFolders[] = {
    {.classes = {"StableLmForCausalLM", "StableLMEpochForCausalLM"},
     .layer = stablelmLayer,
     .keys = stablelmKeys,
     .modelType = "stablelm",
     .biasMembers = {"attention_bias", "use_qkv_bias"}},
};

constexpr Family stablelmRecords[] = {
    {.architecture = "stablelm",
     .modelTypes = {{.name = "stablelm", .defaults = stablelmMembers}},
     .folders = stablelmFolders,
     .norm = NormKind::Layer,
     .parallel = true,
     .runs = true},
};

} // namespace

const std::span<const Family> stablelm = stablelmRecords;

} // namespace wb::arch::records

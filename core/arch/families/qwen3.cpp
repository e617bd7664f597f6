// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue qwen3Members[] = {{"head_dim", "128"}, {"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};
constexpr MemberValue qwen3MoeMembers[] = {{"num_experts_per_tok", "8"}, {"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};

constexpr auto qwen3Layer = joined(norms, attention, headNorms, gated);
constexpr auto qwen3moeLayer = joined(norms, attention, headNorms, gated, experts);
constexpr KeyRules<1> qwen3moeKeys = {{expertWidth}};

constexpr FolderRules qwen3Folders[] = {
    {.classes = {"Qwen3ForCausalLM"}, .layer = qwen3Layer, .modelType = "qwen3"},
};

constexpr FolderRules qwen3moeFolders[] = {
    {.classes = {"Qwen3MoeForCausalLM"},
     .layer = qwen3moeLayer,
     .ownKeys = qwen3moeKeys,
     .modelType = "qwen3_moe",
     .members = {{"expert_count", "num_experts"}},
     .guess = {"norm_topk_prob", "true"}},
};

constexpr KeyRules<1> deepstackKeys = {{{NestedCount, "n_deepstack_layers", {"vision_config", "deepstack_visual_indexes"}}}};
constexpr FolderRules qwen3vlFolders[] = {
    {.classes = {"Qwen3VLForConditionalGeneration"}, .layer = qwen3Layer, .ownKeys = deepstackKeys, .modelType = "qwen3_vl_text"},
};

constexpr Family qwen3Records[] = {
    {.architecture = "qwen3",
     .modelTypes = {{.name = "qwen3", .defaults = qwen3Members}},
     .folders = qwen3Folders,
     .queryKeyNorm = Head,
     .runs = true},
    {.architecture = "qwen3moe",
     .modelTypes = {{.name = "qwen3_moe", .defaults = qwen3MoeMembers}},
     .folders = qwen3moeFolders,
     .queryKeyNorm = Head,
     .runs = true},
    {.architecture = "qwen3vl",
     .modelTypes = {{"qwen3_vl"}, {.name = "qwen3_vl_text", .defaults = qwen3Members}},
     .folders = qwen3vlFolders,
     .queryKeyNorm = Head,
     .rope = InterleavedSections,
     .runs = true},
    {.architecture = "qwen3vlmoe",
     .modelTypes = {{"qwen3_vl_moe"}, {"qwen3_vl_moe_text"}},
     .queryKeyNorm = Head,
     .rope = InterleavedSections},
};

} // namespace

const std::span<const Family> qwen3 = qwen3Records;

} // namespace wb::arch::records

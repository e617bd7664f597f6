// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue qwen2Members[] = {{"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};
constexpr MemberValue qwen2MoeMembers[] = {{"num_experts_per_tok", "4"}, {"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};

constexpr auto qwen2moeLayer = joined(norms, attention, gated, experts, sharedExpert);
constexpr KeyRules<2> qwen2moeKeys = {
    {expertWidth, {Number, "expert_shared_feed_forward_length", {"shared_expert_intermediate_size"}}}};

constexpr FolderRules qwen2Folders[] = {
    {.classes = {"Qwen2ForCausalLM"}, .layer = denseLayer, .modelType = "qwen2"},
};

constexpr FolderRules qwen2moeFolders[] = {
    {.classes = {"Qwen2MoeForCausalLM"},
     .layer = qwen2moeLayer,
     .ownKeys = qwen2moeKeys,
     .modelType = "qwen2_moe",
     .members = {{"expert_count", "num_experts"}},
     .guess = {"norm_topk_prob", "false"}},
};

constexpr Family qwenRecords[] = {
    {.architecture = "qwen"},
    {.architecture = "qwen2",
     .modelTypes = {{.name = "qwen2", .defaults = qwen2Members}},
     .folders = qwen2Folders,
     .runs = true,
     .projectionBiases = true,
     .mix = {.largeLayers = 80}},
    {.architecture = "qwen2moe",
     .modelTypes = {{.name = "qwen2_moe", .defaults = qwen2MoeMembers}},
     .folders = qwen2moeFolders,
     .normalizesExperts = false,
     .runs = true},
    {.architecture = "qwen2vl", .modelTypes = {{"qwen2_5_vl"}, {"qwen2_5_vl_text"}, {"qwen2_vl"}}, .rope = Sections},
};

} // namespace

const std::span<const Family> qwen = qwenRecords;

} // namespace wb::arch::records

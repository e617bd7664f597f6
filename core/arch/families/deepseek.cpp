// SPDX-License-Identifier: MIT
#include "core/arch/families/latent_rules.h"

namespace wb::arch::records {
namespace {

constexpr auto latentLayer = joined(norms, latentQueries, latentKeysValues, gated, experts, ungatedShared);

// Files of the other classes have what the first one lacks; layers that predict ahead are dropped, as the reference does.
constexpr FolderRules deepseek2Folders[] = {
    {.classes = {"DeepseekV2ForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .dropsPrediction = true,
     .modelType = "deepseek_v2",
     .members = {{"expert_count", "n_routed_experts"}},
     .guess = {"q_lora_rank", "null"}},
    {.classes = {"Glm4MoeLiteForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .tokens = glmTokens,
     .dropsPrediction = true,
     .markKey = "attention.q_lora_rank",
     .modelType = "glm4_moe_lite",
     .members = {{"expert_count", "n_routed_experts"}}},
    {.classes = {"DeepseekV3ForCausalLM"},
     .layer = latentLayer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .dropsPrediction = true,
     .markKey = "rope.scaling.yarn_log_multiplier",
     .modelType = "deepseek_v3",
     .members = {{"expert_count", "n_routed_experts"}}},
};

constexpr Family deepseekRecords[] = {
    {.architecture = "deepseek", .modelTypes = {{"deepseek"}}, .rope = Adjacent, .normalizesExperts = false},
    {.architecture = "deepseek2",
     .modelTypes = {{"deepseek_v2"}, {"deepseek_v3"}, {.name = "glm4_moe_lite", .preTokenizer = {"F01", "glm4"}}, {"kimi_k2"}},
     .folders = deepseek2Folders,
     .rope = Adjacent,
     .normalizesExperts = false,
     .yarnLogFactor = 0.1,
     .gatingOfSize = {47, 48, 154'880, Gating::Sigmoid},
     .runs = true},
};

} // namespace

const std::span<const Family> deepseek = deepseekRecords;

} // namespace wb::arch::records

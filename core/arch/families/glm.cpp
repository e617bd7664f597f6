// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// The streams, the indexer and the recurrent gates.
constexpr std::string_view glm5Kept[] = {"hc_",
                                         "indexer.attn_q_b",
                                         "indexer.attn_k",
                                         "indexer.proj",
                                         "indexer_compressor_gate",
                                         "indexer_compressor_ape",
                                         "ssm_f_a.weight",
                                         "ssm_f_b.weight",
                                         "ssm_g_a.weight",
                                         "ssm_g_b.weight",
                                         "ssm_beta.weight",
                                         "attn_kv_a_mqa.weight",
                                         "attn_k_b.weight",
                                         "attn_v_b.weight"};
// Low-rank queries and the projection of the next-token block.
constexpr std::string_view glm5EightBits[] = {"attn_q_a", "attn_q_b", "nextn.eh_proj"};

constexpr Family glmRecords[] = {
    {.architecture = "chatglm", .modelTypes = {{"chatglm"}}, .rope = Adjacent},
    {.architecture = "glm4", .modelTypes = {{"glm4"}}, .placement = NormPlacement::Both, .rope = Adjacent, .runs = Runs::Cpu},
    {.architecture = "glm4moe",
     .modelTypes = {{"glm4_moe"}},
     .parts = postAttentionNorm,
     .gating = Gating::Sigmoid,
     .keepsPredictionLayers = true,
     .runs = Runs::Cpu},
    {.architecture = "glm5-next", .isPartial = true, .mix = {.neverQuantized = glm5Kept, .eightBits = glm5EightBits}},
};

} // namespace

const std::span<const Family> glm = glmRecords;

} // namespace wb::arch::records

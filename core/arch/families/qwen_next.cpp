// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr KeyDefault qwen3nextDefaults[] = {{"full_attention_interval", 4}};
// attn_qkv and attn_gate exist in the layers of linear attention only.
constexpr Part linearParts[] = {
    postAttentionNorm[0], {"attn_qkv", Role::Recurrent, "attn_qkv"}, {"attn_gate", Role::Recurrent, "attn_gate"}};

constexpr Family qwenNextRecords[] = {
    {.architecture = "qwen3next",
     .modelTypes = {{"qwen3_next"}},
     .parts = linearParts,
     .queryKeyNorm = Head,
     .attentionGate = true,
     .keyDefaults = qwen3nextDefaults},
    {.architecture = "qwen35",
     .modelTypes = {{"qwen3_5"}, {"qwen3_5_text"}},
     .parts = linearParts,
     .queryKeyNorm = Head,
     .rope = InterleavedSections,
     .attentionGate = true,
     .tiledHeads = true},
    {.architecture = "qwen35moe",
     .modelTypes = {{"qwen3_5_moe"}, {"qwen3_5_moe_text"}},
     .parts = linearParts,
     .queryKeyNorm = Head,
     .rope = InterleavedSections,
     .attentionGate = true,
     .tiledHeads = true},
};

} // namespace

const std::span<const Family> qwenNext = qwenNextRecords;

} // namespace wb::arch::records

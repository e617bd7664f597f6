// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family qwen3Records[] = {
    {.architecture = "qwen3", .modelTypes = {{"qwen3"}}, .queryKeyNorm = Head, .runs = Runs::Cpu},
    {.architecture = "qwen3moe", .modelTypes = {{"qwen3_moe"}}, .queryKeyNorm = Head, .runs = Runs::Cpu},
    {.architecture = "qwen3vl", .modelTypes = {{"qwen3_vl"}, {"qwen3_vl_text"}}, .queryKeyNorm = Head, .rope = InterleavedSections},
    {.architecture = "qwen3vlmoe",
     .modelTypes = {{"qwen3_vl_moe"}, {"qwen3_vl_moe_text"}},
     .queryKeyNorm = Head,
     .rope = InterleavedSections},
};

} // namespace

const std::span<const Family> qwen3 = qwen3Records;

} // namespace wb::arch::records

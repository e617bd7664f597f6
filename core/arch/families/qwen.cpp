// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family qwenRecords[] = {
    {.architecture = "qwen"},
    {.architecture = "qwen2", .modelTypes = {{"qwen2"}}, .runs = Runs::Cpu, .projectionBiases = true, .mix = {.largeLayers = 80}},
    {.architecture = "qwen2moe", .modelTypes = {{"qwen2_moe"}}, .normalizesExperts = false, .runs = Runs::Cpu},
    {.architecture = "qwen2vl", .modelTypes = {{"qwen2_5_vl"}, {"qwen2_5_vl_text"}, {"qwen2_vl"}}, .rope = Sections},
};

} // namespace

const std::span<const Family> qwen = qwenRecords;

} // namespace wb::arch::records

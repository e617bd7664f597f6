// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family deepseekRecords[] = {
    {.architecture = "deepseek", .modelTypes = {{"deepseek"}}, .rope = Adjacent, .normalizesExperts = false},
    {.architecture = "deepseek2",
     .modelTypes = {{"deepseek_v2"}, {"deepseek_v3"}, {"glm4_moe_lite"}, {"kimi_k2"}},
     .rope = Adjacent,
     .normalizesExperts = false,
     .yarnLogFactor = 0.1,
     .gatingOfSize = {47, 48, 154'880, Gating::Sigmoid}},
};

} // namespace

const std::span<const Family> deepseek = deepseekRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family ernieRecords[] = {
    {.architecture = "ernie4_5", .modelTypes = {{"ernie4_5"}}, .rope = Adjacent},
    {.architecture = "ernie4_5-moe", .modelTypes = {{"ernie4_5_moe"}}, .rope = Adjacent, .runs = true},
};

} // namespace

const std::span<const Family> ernie = ernieRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family hunyuanRecords[] = {
    {.architecture = "hunyuan-dense",
     .modelTypes = {{"hunyuan_v1_dense"}},
     .queryKeyNorm = Head,
     .normsAfterRope = true,
     .runs = true},
    {.architecture = "hunyuan-moe", .modelTypes = {{"hunyuan_v1_moe"}}, .queryKeyNorm = Head},
};

} // namespace

const std::span<const Family> hunyuan = hunyuanRecords;

} // namespace wb::arch::records

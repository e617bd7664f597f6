// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family lfmRecords[] = {
    {.architecture = "lfm2", .modelTypes = {{.name = "lfm2", .preTokenizer = {"F01", "lfm2"}}}, .queryKeyNorm = Head, .tied = true},
    {.architecture = "lfm2moe", .modelTypes = {{"lfm2_moe"}}, .queryKeyNorm = Head, .tied = true, .gating = Gating::Sigmoid},
};

} // namespace

const std::span<const Family> lfm = lfmRecords;

} // namespace wb::arch::records

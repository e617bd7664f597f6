// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family kimiRecords[] = {
    {.architecture = "kimi-linear",
     .modelTypes = {{"kimi_linear"}},
     .rope = RopeStyle::None,
     .gating = Gating::Sigmoid,
     .runs = true},
};

} // namespace

const std::span<const Family> kimi = kimiRecords;

} // namespace wb::arch::records

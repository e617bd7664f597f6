// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family exaoneRecords[] = {
    {.architecture = "exaone", .modelTypes = {{"exaone"}}, .rope = Halves},
    {.architecture = "exaone4",
     .modelTypes = {{"exaone4"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::After,
     .queryKeyNorm = Head,
     .windowPeriod = 4,
     .ropelessFull = true,
     .runs = Runs::Cpu},
    {.architecture = "exaone-moe",
     .modelTypes = {{"exaone_moe"}},
     .queryKeyNorm = Head,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid,
     .keepsPredictionLayers = true},
};

} // namespace

const std::span<const Family> exaone = exaoneRecords;

} // namespace wb::arch::records

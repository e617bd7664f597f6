// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family bailingRecords[] = {
    {.architecture = "bailingmoe", .modelTypes = {{"bailing_moe"}}, .rope = Adjacent},
    {.architecture = "bailingmoe2",
     .modelTypes = {{"bailing_moe_v2"}},
     .queryKeyNorm = Head,
     .gating = Gating::Sigmoid,
     .keepsPredictionLayers = true},
    {.architecture = "bailingmoe3", .isPartial = true, .mix = {.onlyExpertMatrices = true}},
};

} // namespace

const std::span<const Family> bailing = bailingRecords;

} // namespace wb::arch::records

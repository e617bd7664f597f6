// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family arceeRecords[] = {
    {.architecture = "afmoe",
     .modelTypes = {{"afmoe"}},
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid},
    {.architecture = "arcee", .modelTypes = {{"arcee"}}, .activation = Activation::ReluSquared, .gated = false, .rope = Adjacent},
};

} // namespace

const std::span<const Family> arcee = arceeRecords;

} // namespace wb::arch::records

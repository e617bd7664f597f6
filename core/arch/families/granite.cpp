// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family graniteRecords[] = {
    {.architecture = "granite",
     .modelTypes = {{"granite"}},
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true,
     .runs = Runs::Cpu},
    {.architecture = "granitehybrid",
     .modelTypes = {{"granitemoehybrid"}},
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true},
    {.architecture = "granitemoe",
     .modelTypes = {{"granitemoe"}, {"granitemoeshared"}},
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true,
     .runs = Runs::Cpu},
    {.architecture = "graniteswitch", .isPartial = true, .mix = {.layerCount = MixLayerCount::WithRouter}},
};

} // namespace

const std::span<const Family> granite = graniteRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family nemotronRecords[] = {
    {.architecture = "nemotron",
     .modelTypes = {{"nemotron"}},
     .norm = NormKind::Layer,
     .activation = Activation::ReluSquared,
     .gated = false},
    {.architecture = "nemotron_h",
     .modelTypes = {{"nemotron_h"}},
     .activation = Activation::ReluSquared,
     .gated = false,
     .rope = RopeStyle::None,
     .layerList = LayerList::Letters,
     .withExperts = "nemotron_h_moe",
     .runs = true},
    {.architecture = "nemotron_h_moe",
     .activation = Activation::ReluSquared,
     .gated = false,
     .rope = RopeStyle::None,
     .gating = Gating::Sigmoid,
     .layerList = LayerList::Letters,
     .runs = true},
};

} // namespace

const std::span<const Family> nemotron = nemotronRecords;

} // namespace wb::arch::records

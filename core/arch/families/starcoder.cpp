// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family starcoderRecords[] = {
    {.architecture = "starcoder",
     .modelTypes = {{"gpt_bigcode"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .learnedPositions = true},
    {.architecture = "starcoder2",
     .modelTypes = {{"starcoder2"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .tied = true,
     .runs = Runs::Cpu},
};

} // namespace

const std::span<const Family> starcoder = starcoderRecords;

} // namespace wb::arch::records

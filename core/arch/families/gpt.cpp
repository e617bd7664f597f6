// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family gptRecords[] = {
    {.architecture = "gpt2",
     .modelTypes = {{"gpt2"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .learnedPositions = true,
     .fourfoldFeedForward = true,
     .runs = Runs::Cpu},
    {.architecture = "gptneox",
     .modelTypes = {{"gpt_neox"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .parallel = true},
};

} // namespace

const std::span<const Family> gpt = gptRecords;

} // namespace wb::arch::records

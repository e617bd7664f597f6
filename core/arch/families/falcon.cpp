// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr KeyDefault falconDefaults[] = {{"context_length", 2048}, {"attention.head_count_kv", 1}};

constexpr Family falconRecords[] = {
    {.architecture = "falcon",
     .modelTypes = {{"falcon"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .parallel = true,
     .tied = true,
     .keyDefaults = falconDefaults,
     .fourfoldFeedForward = true,
     .mix = {.variant = MixVariant::Frugal}},
    {.architecture = "falcon-h1", .modelTypes = {{"falcon_h1"}}, .runs = true},
};

} // namespace

const std::span<const Family> falcon = falconRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family phiRecords[] = {
    {.architecture = "phi2",
     .modelTypes = {{"phi"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .parallel = true,
     .runs = Runs::Cpu},
    {.architecture = "phi3", .modelTypes = {{"phi3"}}, .runs = Runs::Cpu},
    {.architecture = "phimoe", .modelTypes = {{"phimoe"}}, .norm = NormKind::Layer},
};

} // namespace

const std::span<const Family> phi = phiRecords;

} // namespace wb::arch::records

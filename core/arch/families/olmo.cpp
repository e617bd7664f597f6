// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family olmoRecords[] = {
    {.architecture = "olmo", .modelTypes = {{"olmo"}}, .norm = NormKind::Layer, .rope = Adjacent, .mix = {.largeLayers = 80}},
    {.architecture = "olmo2",
     .modelTypes = {{"olmo2"}, {.name = "olmo3", .windowPeriod = 4}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::After,
     .queryKeyNorm = Whole,
     .plainWindows = true,
     .runs = Runs::Cpu,
     .keepsResidual = true},
    {.architecture = "olmoe", .modelTypes = {{"olmoe"}}, .queryKeyNorm = Whole, .normalizesExperts = false},
};

} // namespace

const std::span<const Family> olmo = olmoRecords;

} // namespace wb::arch::records

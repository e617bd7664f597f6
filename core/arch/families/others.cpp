// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family othersRecords[] = {
    {.architecture = "apertus", .modelTypes = {{"apertus"}}, .queryKeyNorm = Head, .gated = false},
    {.architecture = "arctic", .rope = Adjacent, .denseBesideExperts = true},
    {.architecture = "baichuan", .rope = Adjacent},
    {.architecture = "bloom",
     .modelTypes = {{"bloom"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .fourfoldFeedForward = true},
    {.architecture = "clip", .isProjector = true, .rope = RopeStyle::None},
    {.architecture = "deci", .rope = Adjacent, .mix = {.largeLayers = 80}},
    {.architecture = "dots1", .modelTypes = {{"dots1"}}, .queryKeyNorm = Head, .normalizesExperts = false},
    {.architecture = "grok", .placement = NormPlacement::Both, .activation = Activation::GeluTanh},
    {.architecture = "internlm2", .modelTypes = {{"internlm2"}}, .rope = Adjacent},
    {.architecture = "jais2", .isPartial = true, .mix = {.largeLayers = 68}},
    {.architecture = "jamba", .modelTypes = {{"jamba"}}, .rope = RopeStyle::None, .normalizesExperts = false},
    {.architecture = "mimo2", .modelTypes = {{"mimo_v2"}}, .windowPeriod = 0, .gating = Gating::Sigmoid},
    {.architecture = "minimax-m2", .modelTypes = {{"minimax_m2"}}, .queryKeyNorm = Whole, .gating = Gating::Sigmoid},
    {.architecture = "nanbeige", .isPartial = true, .mix = {.layerCount = MixLayerCount::EveryPass}},
    {.architecture = "plamo"},
    {.architecture = "seed_oss", .modelTypes = {{"seed_oss"}}},
    {.architecture = "step35", .queryKeyNorm = Head, .gating = Gating::Sigmoid},
    {.architecture = "xverse", .rope = Adjacent},
};

} // namespace

const std::span<const Family> others = othersRecords;

} // namespace wb::arch::records

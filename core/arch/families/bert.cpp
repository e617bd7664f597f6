// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family bertRecords[] = {
    {.architecture = "bert",
     .modelTypes = {{"bert"}},
     .norm = NormKind::Layer,
     .placement = NormPlacement::After,
     .activation = Activation::GeluErf,
     .gated = false,
     .rope = RopeStyle::None,
     .learnedPositions = true},
    {.architecture = "jina-bert-v2",
     .norm = NormKind::Layer,
     .placement = NormPlacement::After,
     .activation = Activation::GeluErf,
     .rope = RopeStyle::None},
    {.architecture = "jina-bert-v3", .isPartial = true, .stripping = {StripKind::BeforeMask}},
    {.architecture = "modern-bert",
     .modelTypes = {{"modernbert"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluErf,
     .stripping = {StripKind::BeforeMask, {"modern-bert"}, "[MASK]"}},
    {.architecture = "nomic-bert", .modelTypes = {{"nomic_bert"}}, .norm = NormKind::Layer, .placement = NormPlacement::After},
    {.architecture = "nomic-bert-moe", .isPartial = true, .stripping = {StripKind::BeforeMask}},
};

} // namespace

const std::span<const Family> bert = bertRecords;

} // namespace wb::arch::records

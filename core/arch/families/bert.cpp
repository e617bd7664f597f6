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
    {.architecture = "modern-bert", .modelTypes = {{"modernbert"}}, .norm = NormKind::Layer, .activation = Activation::GeluErf},
    {.architecture = "nomic-bert", .modelTypes = {{"nomic_bert"}}, .norm = NormKind::Layer, .placement = NormPlacement::After},
};

} // namespace

const std::span<const Family> bert = bertRecords;

} // namespace wb::arch::records

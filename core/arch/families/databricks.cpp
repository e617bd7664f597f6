// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr Family databricksRecords[] = {
    {.architecture = "dbrx", .modelTypes = {{"dbrx"}}, .norm = NormKind::Layer},
    {.architecture = "mpt",
     .modelTypes = {{"mpt"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true},
};

} // namespace

const std::span<const Family> databricks = databricksRecords;

} // namespace wb::arch::records

// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/detail.h"
#include "ui/inspect/tables/tensor_tables.h"

// What is in the tables of a comparison.
namespace wb::ui::inspect {

TableContent metadataDifferenceTable(const diff::MetadataDifference& difference);
TableContent tokenDifferenceTable(const diff::TokenizerDifference& difference);
TableContent templateDifferenceTable(const diff::Comparison& comparison); // line by line
TableContent measuresTable(const diff::Pair& pair, const diff::Detail* detail);

} // namespace wb::ui::inspect

// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/subject.h"
#include "ui/inspect/tables/tensor_tables.h"

// The tables next to the heat map and the distribution: every number of the pictures.
namespace wb::ui::inspect {

TableContent profileTable(const stats::Profile& profile, bool rows); // the channels with their ratio to the median, largest first
TableContent blockTable(const stats::StoredBlock& look);             // one row an element
TableContent differenceTable(const stats::Difference& difference, const Shape& shape, bool isOtherOriginal);
TableContent codeFactsTable(const stats::CodeStats& codes);
TableContent codesTable(const stats::CodeStats& codes, Dtype dtype);

// The lines of the tooltip on element `index`: the values of a pair; stored bytes, and of block types block, scale, minimum and
// code.
QStringList elementNote(const stats::ElementLook& look, std::uint64_t index);

// The most channels that a table lists: the first of the order.
inline constexpr std::size_t profileTableCap = 1000;

} // namespace wb::ui::inspect

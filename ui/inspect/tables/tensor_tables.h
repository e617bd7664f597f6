// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tables/cell_table_model.h"
#include "core/stats/contents/contents.h"
#include "ui/inspect/tensors/totals.h"
#include "ui/inspect/trend/trend.h"

// What is in the small tables next to the pictures: every number of a plot is also here, to be read, selected and copied.
namespace wb::ui::inspect {

struct TableContent {
    QStringList headers;
    std::vector<std::vector<Cell>> rows;
};

TableContent scalarTable(const stats::TensorStats& stats);
TableContent percentileTable(const stats::TensorStats& stats);
// Null: how far they are from the mean is not known.
TableContent topTable(std::span<const stats::TopElement> top, const Shape& shape, const stats::TensorStats* stats);
TableContent histogramTable(const stats::Histogram& histogram);
TableContent totalsTable(const std::vector<Total>& totals, const QString& title);
TableContent trendTable(const std::vector<TrendLine>& lines); // one row a layer, one column a line
// The columns of problemTable; the first one is copied as the whole line.
enum ProblemColumn { problemSentence, problemSeverity, problemWhere };
TableContent problemTable(const std::vector<Problem>& problems);

} // namespace wb::ui::inspect

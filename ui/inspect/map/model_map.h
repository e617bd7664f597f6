// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tables/tensor_tables.h"
#include "ui/inspect/trend/trend.h"

// One statistic of a whole model: a line of cells for every part (attn_q, ffn_down …), a cell for every layer, and which of them
// leave their line.
namespace wb::ui::inspect {

struct OutlierTensor {
    QString part;
    TrendPoint point;
    double median = 0; // of its line
    double score = 0;  // |value - median| / MAD; infinite where all others are equal
};

struct ModelMap {
    std::vector<TrendLine> lines;
    std::uint32_t layers = 0;            // one more than the last
    std::vector<OutlierTensor> outliers; // greatest score first
};

ModelMap mapModel(const stats::Contents& contents, Column statistic, double k);

TableContent outlierTable(const ModelMap& map);

} // namespace wb::ui::inspect

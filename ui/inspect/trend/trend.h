// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tensors/tensor_column.h"

namespace wb::ui::inspect {

// One statistic over the layers of a model, or over the checkpoints of a training run.
struct TrendPoint {
    std::uint64_t position = 0; // the layer, the step
    double value = 0;           // the mean where several tensors share the layer, as experts do
    std::uint32_t tensors = 0;  // how many it stands for
    std::uint32_t tensor = 0;   // the one of largest magnitude: a click leads there
};

struct TrendLine {
    QString title;                  // the part ("attn_q") or the role
    std::vector<TrendPoint> points; // by position
};

enum class TrendGrouping { Part, Role };

// The unit of the positions.
enum class TrendAxis { Layer, Step, Epoch, Checkpoint };

// The value of a statistic column as a number; empty where it is unknown or undefined.
std::optional<double> statisticValue(const stats::TensorStats& statistics, Column statistic);
std::optional<double> statisticValue(const stats::Contents& contents, std::uint32_t tensor, Column statistic);

// Lines by title; tensors outside layers, without the statistic or without a known part are omitted.
std::vector<TrendLine> computeTrend(const stats::Contents& contents, Column statistic, TrendGrouping grouping);

} // namespace wb::ui::inspect

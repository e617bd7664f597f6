// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/stats/stats.h"

namespace wb::stats {

// Problems that show only in the values of a tensor: a warning about NaN and infinite elements,
// which all other statistics omit, and a note about complex elements, of which the statistics are those of the magnitudes.
std::vector<Problem> valueProblems(const Model& model, const TensorInfo& tensor, const TensorStats& stats);

} // namespace wb::stats

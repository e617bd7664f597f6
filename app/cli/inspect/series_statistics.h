// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/inspect/inspect.h"
#include "core/base/json_writer.h"

namespace wb::cli {

// The document member "series_stats": [{"path", "step", "epoch", "tensors": [{"name", "stats"}]}].
void writeSeriesStatistics(JsonWriter& out, const Inspection& inspection);

// A table for each tensor: its statistics in every checkpoint.
void printSeriesStatistics(const Inspection& inspection);

} // namespace wb::cli

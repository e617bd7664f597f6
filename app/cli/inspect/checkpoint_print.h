// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"

namespace wb::cli {

// The anatomy of a training checkpoint as tables, with the parts missing to resume.
void printCheckpoint(const Checkpoint& checkpoint);

void printSeries(const std::vector<SeriesEntry>& series);

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include "core/base/progress.h"

#include <QString>

#include <span>

namespace wb::ui::inspect {

enum class ExportFormat { Csv, Json };

// Writes the given tensors with everything known about them. CSV: one row a tensor under the table's columns, exact numbers, RFC
// 4180 quoting. JSON: an array in the shape of `tensors` of `wb inspect --json` (docs/reference/command_line.md), with "stats"
// where they are computed. `path` is replaced as a whole or stays as it was. Runs on a worker.
Result<void> exportTensors(const stats::Contents& contents, std::span<const std::uint32_t> tensors, ExportFormat format,
                           const QString& path, const Progress& progress);

} // namespace wb::ui::inspect

// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/unfinished.h"

#include <QString>

namespace wb::ui::convert {

using wb::run::UnfinishedRun;

// The unfinished runs of this user, of this window or of wb, that the Convert tab shows: all but downloads. A run that it cannot
// continue has no canResume here. These touch the disk: for worker threads.
std::vector<UnfinishedRun> unfinishedRuns(const QString& stateFolder);
std::optional<UnfinishedRun> unfinishedRunTo(const QString& target, const QString& stateFolder); // also one without a record here

QString targetPath(const UnfinishedRun& run);
QString sourcePath(const UnfinishedRun& run);
QString planText(const UnfinishedRun& run); // empty: none is recorded

} // namespace wb::ui::convert

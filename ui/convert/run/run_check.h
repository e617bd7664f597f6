// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/run/job_text.h"
#include "ui/convert/unfinished.h"

namespace wb::ui::convert {

// An unfinished run with another plan to the same target, whose work a new run would remove.
struct ConflictingRun {
    std::optional<UnfinishedRun> run; // that can be continued; empty: its plan is not known
    std::optional<int> percent;       // progress, if known
};

// What is to be asked before a run starts.
struct RunCheck {
    QString target;
    QString problem;     // why nothing can be written there, translated; empty: no objection
    bool exists = false; // one of the files to write does
    std::optional<ConflictingRun> conflict;
};

// Looks at the target, its folder and its journal, where there is one. For worker threads.
RunCheck checkRun(const wb::convert::Job& job, const QString& target, const QString& stateFolder);

// The first of these alone.
QString targetProblem(const wb::convert::Job& job, const QString& target);

} // namespace wb::ui::convert

// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/plan_job.h"
#include "ui/convert/queue/queued_run.h"
#include "core/base/progress.h"

#include <QList>

namespace wb::ui::convert {

// The job of a saved plan of either kind: opens the model again. For worker threads.
Result<JobPtr> planJob(const QueuedRun& run, unsigned threads, const Progress& progress);

// A run for each mix, to the name that is proposed for it. Fails where one cannot be planned. For worker threads.
Result<QList<PlannedRun>> planMixes(wb::convert::GgufRequest request, const std::vector<quant::FileType>& types,
                                    const QString& stateFolder, const Progress& progress);

} // namespace wb::ui::convert

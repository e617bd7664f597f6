// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/planning.h"
#include "ui/convert/queue/queued_run.h"
#include "ui/shell/services.h"

#include <QList>
#include <QString>

namespace wb::ui::convert {

// The run of a plan that was made; null where none could be.
std::shared_ptr<const RunPlan> runPlanOf(const PlanOutput& output, const QString& model, const Services& services);

// The run of a saved plan of either kind: opens the model again. For worker threads.
Result<std::shared_ptr<const RunPlan>> runPlanOf(const QueuedRun& run, const Services& services, const Progress& progress);

// A run for each mix, to the name that is proposed for it. Fails where one cannot be planned. For worker threads.
Result<QList<PlannedRun>> planMixes(PlanInput input, const std::vector<quant::FileType>& types, const Services& services,
                                    const Progress& progress);

} // namespace wb::ui::convert

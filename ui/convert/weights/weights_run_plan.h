// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/convert/weights_plan.h"
#include "ui/convert/run/run_plan.h"
#include "ui/shell/services.h"

namespace wb::ui::convert {

// A plan to write weights for a run, with the threads of the services.
std::shared_ptr<const RunPlan> weightsRunPlan(std::shared_ptr<const conversion::WeightsPlan> plan, const QString& modelPath,
                                              bool merges, const Services& services);

} // namespace wb::ui::convert

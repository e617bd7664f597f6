// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "ui/convert/run/run_plan.h"
#include "ui/shell/services.h"

namespace wb::ui::convert {

// The plan of a conversion for a run, with the threads of the services. `text` is that of its plan file, or empty.
std::shared_ptr<const RunPlan> conversionRunPlan(std::shared_ptr<const wb::convert::ConvertPlan> plan, const QString& modelPath,
                                                 const QString& text, const Services& services);

} // namespace wb::ui::convert

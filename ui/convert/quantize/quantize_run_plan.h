// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/run/run_plan.h"
#include "ui/shell/services.h"

namespace wb::ui::convert {

// The plan of a quantization for a run, with the device and the threads of the services as they are now. `text` is that of its plan
// file, or empty.
std::shared_ptr<const RunPlan> quantizeRunPlan(std::shared_ptr<const quantize::QuantizePlan> plan, const QString& modelPath,
                                               const QString& text, const Services& services);

// A name for the new file beside the model, or in the home folder where that is read-only. `type` is what its tensors become.
QString suggestedTarget(const quantize::QuantizePlan& plan, const QString& type);

// The type of the plan as both programs call it: "Q4_K_M", "COPY".
QString typeText(const quantize::QuantizePlan& plan);

// The same plan as options of `wb quantize` and llama-quantize, quoted for a shell: a rule for every kind of tensor that was given
// a type of its own, and what a saved plan sets or leaves out. Empty without a plan.
QString commandOptions(const quantize::QuantizePlan* plan, const quantize::QuantizeRequest& request);

} // namespace wb::ui::convert

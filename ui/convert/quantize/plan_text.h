// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/quantize/quantize_plan.h"

#include <QString>

namespace wb::ui::convert {

// Converting alone as a plan that copies every tensor, for the tables of the pages. `plan` makes the model of a folder.
Result<std::shared_ptr<const quantize::QuantizePlan>> shownPlan(const std::shared_ptr<const wb::convert::ConvertPlan>& plan);

// "SmolLM2-135M-Instruct" of "SmolLM2-135M-Instruct.Q4_1"; a name that ends with no type stays.
QString nameWithoutType(const QString& name);

// "SmolLM2-135M-Instruct-Q4_K_M": a type at the end of the name gives way, unless the result would be the name of the source again.
QString nameWithType(const QString& name, const QString& type);

// A name for the new file next to the model, or in the home folder where that is read-only. `type` is what its tensors become
// (nameWithType).
QString suggestedTarget(const Model& model, const QString& type);

// The type of the plan as both programs call it: "Q4_K_M", "COPY".
QString typeText(const quantize::QuantizePlan& plan);

// The same plan as options of `wb quantize` and llama-quantize, quoted for a shell: a rule for every kind of tensor that was given
// its own type, and what a saved plan sets or omits. Empty without a plan.
QString commandOptions(const quantize::QuantizePlan* plan, const quantize::QuantizeRequest& request);

} // namespace wb::ui::convert

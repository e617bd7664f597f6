// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"

namespace wb::convert {

// The GGUF file of a plan as a model that is read without being written: what quantizing reads in the same pass. The first of its
// files is the new one, called by the folder's name, whose bytes are computed when they are read; those of the folder follow, so
// that users of the model know its source. The plan stays as long as the model does. Thread-safe like every model.
Result<ModelPtr> convertedModel(std::shared_ptr<const ConvertPlan> plan);

} // namespace wb::convert

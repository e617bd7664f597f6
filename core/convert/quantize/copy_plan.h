// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"

namespace wb::quantize {

// The plan of a request that copies (CopyMode). The files equal those of llama-gguf-split --split and --merge, with two exceptions:
// a first tensor beyond the limit gets a separate file, and another alignment than 32 is kept by the file that declares it
// (the reference lays the data out for 32, which its reader refuses). Refuses a model that is not one strictly valid GGUF, joining
// a file that is not the first of a split, and more than 65,535 files.
Result<QuantizePlan> planCopy(ModelPtr model, const QuantizeRequest& request);

} // namespace wb::quantize

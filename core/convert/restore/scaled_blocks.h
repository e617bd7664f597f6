// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::convert {

// A GGUF model whose NVFP4 weights are multiplied by the scale of the whole tensor, or of each expert, which the file stores next
// to them as `<name>.scale` (docs/reference/conversion.md, "MXFP4 and NVFP4"): they become F32 tensors under their own names,
// computed while they are read. Any other model is returned as it is.
ModelPtr withScaledBlocks(const ModelPtr& gguf);

} // namespace wb::convert

// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

namespace wb::convert {

// The code of the note that says whose values a decoded weight has; plans repeat it.
inline constexpr Reason decodedValues = "convert.decoded_values";

// Before the name of a stored part of a decoded weight.
inline constexpr std::string_view partPrefix = "part: ";

// A folder whose weights are quantized in its own way (AWQ, GPTQ, bitsandbytes, FP8, compressed-tensors, MXFP4, NVFP4), with these
// weights as ordinary F32 tensors that are computed while they are read. Their parts become logical tensors named with partPrefix,
// scales that inference alone needs (of activations and of the KV cache) are omitted, and config.json loses its
// quantization_config. Any other model is returned as it is. Tensors are in the order in which a folder that is not quantized is
// read: files by name, in them by name. Unsupported with the name of a weight whose parts do not fit its scheme.
Result<ModelPtr> decodedModel(ModelPtr model);

// Whether the weights are blocks of MXFP4 as gpt-oss stores them, which GGUF files hold as they are.
bool hasMxfp4Blocks(const Model& model);

} // namespace wb::convert

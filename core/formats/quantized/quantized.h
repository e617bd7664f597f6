// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

#include <string_view>

// Weights that a Hugging Face folder stores in several tensors: packed codes, scales, zero points
// (docs/reference/formats.md, "Quantized safetensors").
namespace wb::quantized {

// Adds to the model one logical F32 tensor for each quantized weight whose parts it finds, made by a recipe that knows its scheme
// and its parts; the stored tensors stay as they are. Of the model's tensors only those are inspected whose names start with
// `prefix` ("transformer." of a Diffusers component, else ""); `config` is its config.json, or null.
//
// The parts decide by name, type and shape; the configuration only where these leave a choice, and a problem says where it
// disagrees. Of the tensors' values only descriptions are read: the shape of a packed weight, the JSON of bitsandbytes (at most
// 4 KiB each), and of old GPTQ zero points a sample of at most 1 MiB in all. A scheme that is not decoded is named in a note, a
// weight whose parts do not fit in a warning. Fails only where the work is canceled.
//
// Schemes: AWQ (gemm), GPTQ of 2 to 8 bits (v1, v2, planar), bitsandbytes (nf4, fp4, nested, int8), compressed-tensors (packed
// integers, integers, FP8, NVFP4, MXFP4, MXFP8), FP8 by tensor, channel or block, ModelOpt's NVFP4, gpt-oss's MXFP4.
Result<void> addLogicalTensors(Model& model, std::string_view prefix, const Value* config, const formats::OpenOptions& options);

} // namespace wb::quantized

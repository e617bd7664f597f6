// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"
#include "core/model/recipe.h"

#include <optional>
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

// How a weight of FP4 is stored: codes of E2M1, two a byte, low nibble first, in the recipe's input 0, a scale for each `group` of
// them in input 1, and a scale for all in input 2, if there is one.
struct Fp4Layout {
    enum class Global : std::uint8_t { None, Multiplies, Divides };
    std::uint64_t group = 0;
    Global global = Global::None;
};

// Empty for recipes of other schemes.
std::optional<Fp4Layout> fp4Layout(const Recipe& recipe);

} // namespace wb::quantized

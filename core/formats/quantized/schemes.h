// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/quantized/collector.h"

// Inside the room: one function a family of schemes. Each gets the stored tensor that gives the scheme away by its name, looks for
// the other parts next to it, and adds the weight or says why it cannot.
namespace wb::quantized {

// "<module>.qweight": AWQ or GPTQ, identified by the shapes.
void addIntegerGroups(Collector& collector, const TensorInfo& qweight);
// "<module>.weight_packed": compressed-tensors.
void addCompressed(Collector& collector, const TensorInfo& packed);
// Its integers, called by addCompressed.
void addPackedIntegers(Collector& collector, const std::string& name, const TensorInfo& packed, const TensorInfo& scales);
// "<weight>.quant_state.bitsandbytes__nf4" or "__fp4".
void addBitsAndBytes(Collector& collector, const TensorInfo& state);
// "<module>.SCB": bitsandbytes' LLM.int8().
void addInt8(Collector& collector, const TensorInfo& scales);
// "<weight>_scale_inv", "<weight>_scale": FP8, INT8 and ModelOpt's NVFP4; nothing where <weight> is of another type.
void addScaled(Collector& collector, const TensorInfo& scales);
// "<weight>_blocks": gpt-oss's MXFP4.
void addBlocks(Collector& collector, const TensorInfo& blocks);

} // namespace wb::quantized

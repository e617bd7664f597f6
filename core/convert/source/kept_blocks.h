// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// Weights of FP4 that become blocks of GGUF without a loss: MXFP4 in groups of 32 with scales that are powers of two, NVFP4 in
// groups of 16 with scales of E4M3 (docs/reference/conversion.md, "MXFP4 and NVFP4"; ggml-org/llama.cpp: conversion/base.py,
// _nvfp4_pack).
namespace wb::convert {

struct KeptBlocks {
    TensorInfo tensor; // of the dtype MXFP4 or NVFP4, under the name of the weight
    float scale = 1;   // of the whole tensor; GGUF stores it as another tensor, "<name>.scale"
};

// The blocks of a weight of decodedModel(), read from the parts it was computed of; empty if it has others, or rows that blocks do
// not divide. Reads the scale of the whole tensor, and all scales of NVFP4: one that is negative or NaN, which GGUF does not store,
// is Unsupported.
Result<std::optional<KeptBlocks>> keptBlocks(const Model& model, const TensorInfo& weight);

// Whether a weight of the model may have them.
bool mayHaveBlocks(const Model& model);

} // namespace wb::convert

// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/worker/model_wire.h"

#include <string>
#include <vector>

// Weights of the operator MatMulNBits (microsoft/onnxruntime: docs/ContribOperators.md, com.microsoft.MatMulNBits): codes of `bits`
// bits, lowest first, in blocks of `block` along K, each block with a scale and a zero point. W[n, k] = (code - zero) * scale.
namespace wb::onnx {

struct BlockWeight {
    std::uint64_t rows = 0;    // N
    std::uint64_t columns = 0; // K
    std::uint64_t bits = 4;
    std::uint64_t block = 32;
    std::string codes;  // names of initializers
    std::string scales; //
    std::string zeros;  // empty: 2^(bits - 1)
};

// Adds the logical weights to a model that has their parts; one whose parts are missing or do not fit is omitted with a problem.
void addBlockWeights(const std::vector<BlockWeight>& weights, Model& model, const std::string& file);

// How a worker sends their recipes.
worker::RecipeWire blockWeightWire();

} // namespace wb::onnx

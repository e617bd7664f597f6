// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/quant/mix/file_type.h"

#include <string>
#include <vector>

// Which type each tensor of a model gets: the reference's choice for every file type (ggml-org/llama.cpp v0.5.0:
// src/llama-quant.cpp; docs/reference/gguf.md, "Tensors that are never requantized" to "Shape fallback"). Pure: no file is read.
namespace wb::quant {

// A user's rule: the first whose pattern is found in the tensor's name decides (regular expression, lower-cased as the reference
// does).
struct TensorTypeRule {
    std::string pattern;
    Dtype type;
};

// Why chooseTypes refuses what MixOptions::pure permits. Programs add what they call that option.
inline constexpr Reason needsOneType = "mix.needs_one_type";

struct MixOptions {
    FileType fileType = FileType::Q4_K_M;
    bool pure = false;               // the base type everywhere, no mix
    bool copy = false;               // every tensor keeps its type
    bool leaveOutput = false;        // output.weight keeps its type
    bool hasMatrix = false;          // an importance matrix is given
    std::optional<Dtype> outputType; // for output.weight
    std::optional<Dtype> tokenEmbeddingType;
    std::vector<TensorTypeRule> rules;
};

struct TypeChoice {
    Dtype type = Dtype::Unknown;
    bool kept = false;              // one of the tensors that are never requantized
    std::optional<Dtype> insteadOf; // the type whose block does not divide the row: `type` is its fallback
    bool needsMatrix = false;       // refused without importance data for this tensor
};

// Invalid where a pattern is no regular expression, with the same message as chooseTypes.
Result<void> checkPatterns(const std::vector<TensorTypeRule>& rules);

// Indices of the model's tensors in the reference's order: by layer (tensors outside layers first), then by name in byte order.
std::vector<std::size_t> quantizationOrder(const Model& model);

// One choice for each index of `order`. Fails on a rule that is no regular expression, on a row that fits no type (NVFP4, Q1_0),
// and on experts outside the model's layers. Architecture, head and expert counts come from the model's GGUF metadata.
Result<std::vector<TypeChoice>> chooseTypes(const Model& model, std::span<const std::size_t> order, const MixOptions& options);

// The reference's fallback for a type whose block does not divide the row; empty where it has nothing.
std::optional<Dtype> fallbackFor(Dtype type, std::uint64_t rowLength);

} // namespace wb::quant

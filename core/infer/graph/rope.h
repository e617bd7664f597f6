// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/graph.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb::infer {

// Whether a layer rotates with the divisors of the model: those whose window slides do without.
bool usesDivisors(const arch::LayerSpec& layer);

// The rotation of one layer. `divisors` has those of the model.
RopeOp ropeOp(const arch::ModelSpec& spec, const arch::LayerSpec& layer, const RopeOp& divisors);

// The angles of one rotation: pair j of position p turns by p * frequencies[j], and cosines and sines are multiplied by `magnitude`
// (YaRN: arXiv 2309.00071; ggml-org/llama.cpp: ggml/src/ggml-cpu/ops.cpp, rope_yarn).
struct RopeTable {
    std::vector<float> frequencies;
    float magnitude = 1;

    friend bool operator==(const RopeTable&, const RopeTable&) = default;
};

// `divisors` is empty or has one for each pair; 0 divides by 1.
RopeTable ropeTable(const RopeOp& rope, std::span<const float> divisors);

// The tables of a graph's rotations for a cache of so many positions. Reads the divisors from the model.
Result<std::vector<RopeTable>> readRopeTables(const Graph& graph, std::size_t context);

// Writes one cosine and one sine for each pair.
void ropeAngles(const RopeTable& table, std::size_t position, std::span<float> cosines, std::span<float> sines);

} // namespace wb::infer

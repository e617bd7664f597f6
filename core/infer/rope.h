// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb::infer {

// The angles of one kind of rotation: pair j of position p turns by p * frequencies[j], and cosines and sines are multiplied by
// `magnitude` (docs/reference/docs/reference/inference.md, "Rope").
struct RopeTable {
    std::vector<float> frequencies;
    float magnitude = 1;

    friend bool operator==(const RopeTable&, const RopeTable&) = default;
};

// `factors` is empty or has one divisor for each pair; layers with a window go without.
RopeTable ropeTable(const arch::ModelSpec& spec, const arch::LayerSpec& layer, std::span<const float> factors);

// Fills one cosine and one sine for each pair.
void ropeAngles(const RopeTable& table, std::size_t position, std::span<float> cosines, std::span<float> sines);

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

#include <array>

namespace wb::diff {

// Weights whose output is normalized by stored means and variances: what an export to inference folds into one weight and one bias,
// W' = W · γ / sqrt(σ² + ε) and b' = (b - μ) · γ / sqrt(σ² + ε) + β, per output channel.
struct NormalizedLayer {
    const TensorInfo* weight = nullptr;
    const TensorInfo* bias = nullptr; // null: none, as for gamma and beta
    const TensorInfo *gamma = nullptr, *beta = nullptr;
    const TensorInfo *mean = nullptr, *variance = nullptr;
    std::size_t channelAxis = 0; // of the weight

    std::vector<std::string> weightInputs() const; // weight, gamma, variance
    std::vector<std::string> biasInputs() const;   // beta, mean, bias
};

// The batch normalizations of a model (running_mean of PyTorch, moving_mean of TensorFlow and Keras) with the weights before them,
// found by names and order. Those whose weights are not found are omitted.
std::vector<NormalizedLayer> findNormalizedLayers(const Model& model);

// ε is not stored: the defaults of PyTorch and Keras.
inline constexpr std::array<double, 2> usualEpsilons = {1e-5, 1e-3};

// The folded tensor, of F32, as a recipe over tensors of the layer's model; the name is unlike all of theirs.
TensorInfo foldedWeight(const NormalizedLayer& layer, double epsilon);
TensorInfo foldedBias(const NormalizedLayer& layer, double epsilon);

} // namespace wb::diff

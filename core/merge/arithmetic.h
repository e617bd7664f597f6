// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/kernels.h"
#include "core/merge/merge_settings.h"

#include <span>
#include <vector>

// The arithmetic of merging one tensor, in f32, element by element and in the order of the models, so that no cut of a tensor
// changes a value. Its loops are those of kernels.h.
// Formulas: arcee-ai/mergekit: mergekit/merge_methods/linear.py, slerp.py, generalized_task_arithmetic.py; mergekit/sparsify.py.
namespace wb::merge {

// The numbers of one tensor.
struct TensorMerge {
    MergeMethod method = MergeMethod::Linear;
    float baseWeight = 1;
    std::vector<float> weights;    // of the other models
    std::vector<double> densities; // the same; 1 keeps all
    double t = 0.5;
    float lambda = 1;
    bool isNormalized = false;
    MergeRescale rescale = MergeRescale::Density;
    std::vector<std::uint64_t> maskKeys; // of the other models; DARE, see maskKey()
};

// Of the mask of DARE: a mix of the seed, the place of the model among the others (from 0) and the tensor's name.
std::uint64_t maskKey(std::uint64_t seed, std::uint64_t model, std::string_view tensor);

// Whether the mask keeps an element: the element's own output of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators, 2014), started with the key, is below density · 2^64. Neither threads nor the other models change it.
bool maskKeeps(std::uint64_t key, std::uint64_t element, double density);

// The factors of the base and the other for Slerp, of Σ base², Σ other² and Σ base · other. Slerp alone is computed in f64, since
// its two terms may nearly cancel.
struct SlerpFactors {
    double base = 1, other = 0;
};
SlerpFactors slerpFactors(double t, double base2, double other2, double product);

// One piece of a tensor: elements `first` … of the base and the other models, all of one length.
struct MergePiece {
    std::uint64_t first = 0;
    std::span<const float> base;
    std::span<const std::span<const float>> others;
};

// Fills `result` with the merged elements. `kept` has an element for each other model where differences are dropped;
// `equalBefore` then counts, for each, the magnitudes at its threshold before the piece. `slerp` counts for Slerp alone.
void mergePiece(const TensorMerge& merge, const MergePiece& piece, std::span<const Kept> kept,
                std::span<const std::uint64_t> equalBefore, SlerpFactors slerp, std::span<float> result);

} // namespace wb::merge

// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <compare>
#include <cstdint>

// The parts of operations.
namespace wb::infer {

// Rows of a matrix, or elements of a vector: some files store several matrices as one tensor.
struct Slice {
    const TensorInfo* tensor = nullptr; // null: the model has none
    std::uint64_t first = 0, count = 0; // rows, or elements

    explicit operator bool() const { return tensor != nullptr; }
    friend auto operator<=>(const Slice&, const Slice&) = default;
};

// W x + b.
struct Linear {
    Slice weight; // [rows][columns]
    Slice bias;   // [rows]; empty: none

    explicit operator bool() const { return bool(weight); }
};

enum class NormKind : std::uint8_t {
    None,
    Rms,  // x * weight / sqrt(mean(x²) + epsilon)
    Layer // (x - mean(x)) * weight / sqrt(variance(x) + epsilon) + bias
};

// A part of other operations.
struct NormOp {
    NormKind kind = NormKind::None;
    float epsilon = 0;
    Slice weight; // [count]; empty: ones
    Slice bias;   // [count]; empty: none

    explicit operator bool() const { return kind != NormKind::None; }
    friend bool operator==(const NormOp&, const NormOp&) = default;
};

} // namespace wb::infer

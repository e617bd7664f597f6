// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/infer/device_weights.h"

#include <span>
#include <vector>

// Numbers and matrices for self-tests: the same everywhere.
namespace wb::gpu {

// Between -1 and 1.
std::vector<float> knownNumbers(std::size_t count, std::uint32_t seed);

std::vector<std::uint32_t> matrixWords(std::span<const float> values);

// [rows][columns] in a type, as in a file.
struct KnownMatrix {
    Dtype dtype;
    std::uint32_t rows, columns;
    std::vector<std::byte> stored;

    static KnownMatrix make(Dtype dtype, std::uint32_t rows, std::uint32_t columns);
    std::vector<float> decoded() const;
    Result<DeviceMatrix> upload(const DevicePtr& device) const;
};

// Σ(ours - wanted)² / Σ wanted²; not a number where a number is none.
double relativeError(std::span<const float> ours, std::span<const float> wanted);

} // namespace wb::gpu

// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace wb::test {

// A reader over a tensor that lies in memory.
TensorReader makeReader(Dtype dtype, const Shape& shape, std::vector<std::byte> bytes);

// The same for a list of values that are stored as they are.
template <typename T>
TensorReader makeReader(Dtype dtype, const Shape& shape, const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return makeReader(dtype, shape, std::move(bytes));
}

template <typename T>
TensorReader makeRow(Dtype dtype, const std::vector<T>& values) {
    return makeReader(dtype, *Shape::make({values.size()}), values);
}

// Bytes of `elements` random elements of any type. Floats spread over some powers of two with a few outliers, zeros, infinities and
// NaN; blocks get random codes and small random scales.
std::vector<std::byte> randomBytes(Dtype dtype, std::uint64_t elements, unsigned seed);

} // namespace wb::test

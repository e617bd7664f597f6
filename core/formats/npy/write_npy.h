// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <functional>

// Tensors as NumPy writes them, format 1.0, little-endian, C order (numpy/numpy: numpy/lib/_format_impl.py).
namespace wb::npy {

// The type that elements of `dtype` are written in: their own, or F32 if NumPy has none (BF16, F8, sub-byte and block types).
Dtype writtenType(Dtype dtype);

// Everything before the elements: magic, version, and the description, padded so that the elements start at a multiple of 64.
std::string npyHeader(Dtype written, const Shape& shape);

using Sink = std::function<Result<void>(std::span<const std::byte>)>;

// Passes all elements to `sink` in slabs, as `written`: the tensor's own type, or F32. Progress counts the bytes passed.
Result<void> writeElements(const TensorReader& reader, Dtype written, const Sink& sink, const Progress& progress);

} // namespace wb::npy

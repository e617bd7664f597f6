// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/flat/flat.h"
#include "core/formats/index/index.h"

// Sparse tensors of TensorFlow Lite (tensorflow/tensorflow: tensorflow/compiler/mlir/lite/schema/schema.fbs, SparsityParameters;
// tensorflow/lite/kernels/internal/utils/sparsity_format_converter.cc).
namespace wb::tflite {

// A tensor whose dimensions are dense except for the last one, which stores for each row the columns of its elements (CSR). Every
// count is checked against the file; the positions of the elements are checked when they are read.
struct SparseRows {
    std::uint64_t rows = 0;    // the product of the dense dimensions
    std::uint64_t columns = 0; // the last dimension
    std::uint64_t elementBytes = 0;
    std::uint64_t values = 0;       // position in the file of the stored elements …
    std::uint64_t count = 0;        // … and their number
    std::uint64_t segments = 0;     // position of rows + 1 numbers: where each row starts among the elements
    std::uint64_t segmentBytes = 0; // of one number: 1, 2 or 4
    std::uint64_t indices = 0;      // position of `count` numbers: the column of each element
    std::uint64_t indexBytes = 0;

    std::uint64_t denseBytes() const { return rows * columns * elementBytes; }
};

// The form of a tensor with the SparsityParameters `sparsity` and the stored bytes `values`; empty for one with blocks, another
// order of traversal, or more than one sparse dimension, and if its numbers do not fit each other or the file.
std::optional<SparseRows> readSparsity(const flat::Table& sparsity, const Shape& shape, std::uint64_t elementBytes,
                                       const TensorPlace& values, const io::ByteSource& file);

// A derived file of the index with all elements of the tensor, zeros included, which `unpack` makes (tflite.h): Malformed if its
// rows or columns contradict each other.
std::uint32_t addDense(formats::Index& index, const SparseRows& rows);

} // namespace wb::tflite

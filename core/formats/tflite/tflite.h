// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// TensorFlow Lite models, now LiteRT (tensorflow/tensorflow: tensorflow/compiler/mlir/lite/schema/schema.fbs;
// docs/reference/formats.md, "TFLite / LiteRT").
namespace wb::tflite {

bool sniff(std::span<const std::byte> head);

// All constants of all subgraphs: tensors whose buffer contains values. Those of another subgraph than the first have its number in
// front of their names. The tensors that the program computes have no values and are not listed. Model::version is that of the
// schema. The buffer is read by a worker; values are read where they are.
//
// Sparse tensors whose last dimension alone is sparse are listed with all their elements; others without values, with a note.
//
// The scale and zero point of a quantized tensor are in its details: value = scale * (stored - zero point).
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::tflite

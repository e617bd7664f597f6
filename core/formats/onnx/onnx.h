// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"
#include "core/worker/worker.h"

// ONNX models (onnx/onnx: onnx/onnx.proto, docs/ExternalData.md).
namespace wb::onnx {

// Whether the fields of the outermost message are those of a ModelProto, to the last byte. The format has no magic number; reads
// some bytes per field.
bool sniff(const io::ByteSource& source);

// Whether a file that may be damaged starts as one.
bool sniffHead(std::span<const std::byte> head);

// A model of all its weights: the initializers of the graph and of the subgraphs in it, and the values of Constant nodes, also in
// functions, each named like the value it gives. Model::version is "IR 8, opset 15". The message is read by a worker.
//
// Tensors in raw_data and packed float lists are stored where they are in the file; lists of integers are copied out of it, at most
// 64 MiB in all. External data are opened beneath the model's folder by the rules of io::BeneathDirectory; where a file is missing,
// too short or its name not allowed the tensor is unavailable. Strings are listed without values.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::onnx

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// ONNX Runtime's own form of a model, a FlatBuffer (microsoft/onnxruntime: onnxruntime/core/flatbuffers/schema/ort.fbs).
namespace wb::onnx {

bool sniffOrt(std::span<const std::byte> head);

// The initializers of all graphs and the tensors in the attributes of nodes. Model::version is that of the format. Values in
// another file are unavailable. Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> openOrt(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readOrtIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

worker::WorkerTask ortTask();

} // namespace wb::onnx

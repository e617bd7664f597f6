// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Engines of TensorRT (.engine, .plan, .trt), whose form NVIDIA does not publish (docs/reference/formats.md, "TensorRT"): compiled
// code of a GPU with weights in a layout of that code.
namespace wb::tensorrt {

// "ptrt" or "ftrt" at the beginning, or after the JSON that Ultralytics puts before it with its length.
bool sniff(std::span<const std::byte> head);

// A model without tensors: the version code and size of the header, JSON in front of it, and texts in the file, among which are
// the names of its layers. Says that it contains device code. Malformed, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::tensorrt

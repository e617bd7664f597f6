// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Trained networks of Caffe (BVLC/caffe: src/caffe/proto/caffe.proto, NetParameter; docs/reference/formats.md, "Caffe").
namespace wb::caffe {

// Whether the fields of the outermost message and of its first layer are those of a network. Reads some bytes per field.
bool sniff(const io::ByteSource& source);

// The blobs of all layers, read where they are, named "<layer>.0", "<layer>.1" in the order of the layer. Malformed, TooLarge,
// Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::caffe

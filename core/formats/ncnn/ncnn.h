// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Networks of ncnn (Tencent/ncnn: docs/developer-guide/param-and-model-file-structure.md, src/layer/*.cpp, src/modelbin.cpp;
// docs/reference/formats.md, "ncnn"): a .param text of layers, and a .bin of their weights, which has no index.
namespace wb::ncnn {

// Whether the text starts as a .param of layers.
bool sniff(std::span<const std::byte> head);

// The weights of all layers, "<layer>.weight", "<layer>.bias" …, read where they are; codes with a table are logical tensors, too.
// The order and sizes of the weights follow from the layers, so reading stops at the first layer that is not known and may have
// weights, with a problem that names it. Without its .bin file a network has no tensors. `path` names the .param file.
//
// Malformed, TooLarge, Canceled, and what the worker fails with. Unsupported for the binary form of the .param.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker: the .param, and where it exists the .bin.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::ncnn

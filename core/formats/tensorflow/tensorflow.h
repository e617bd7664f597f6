// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <filesystem>

// TensorFlow's files (docs/reference/formats.md, "TensorFlow"): SavedModels, checkpoints of both kinds, graphs with
// constants.
namespace wb::tensorflow {

// A GraphDef or SavedModel message, by the fields of its outermost message and of its first node.
bool sniffGraph(const io::ByteSource& source);
bool sniffSavedModel(const io::ByteSource& source);

// A GraphDef as text: "node {".
bool sniffText(std::string_view head);

// A checkpoint: a sorted table, by the last bytes of the file.
bool sniffTable(std::span<const std::byte> tail);

// A folder of a SavedModel (saved_model.pb), of its variables alone, or of checkpoints (*.index, or the text file "checkpoint").
bool isFolder(const std::filesystem::path& folder);

// A file of any of these kinds. A .index is read with the data files next to it, a saved_model.pb with its folder variables/.
//
// Tensors: variables under their keys; constants of graphs under the names of their nodes, those of functions after the function's
// name. Of several checkpoints in a folder each tensor names its own (TensorDetails::group). Strings are listed without values.
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker. The role of a source follows from its name: *.index, *.data-00000-of-00001, *.meta, *.pbtxt,
// saved_model.pb; others by their content.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::tensorflow

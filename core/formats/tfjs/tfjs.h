// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of TensorFlow.js: model.json, or a list of weights alone, with binary shards (tensorflow/tfjs: tfjs-core/src/io/types.ts,
// tfjs-core/src/io/io_utils.ts; docs/reference/formats.md, "TensorFlow.js").
namespace wb::tfjs {

// A JSON object with a member "weightsManifest", or an array of groups with "paths" and "weights". `text`: the whole file.
bool sniff(std::string_view text);

// The weights where they are in the shards; quantized ones also as decoded tensors. A missing shard makes its weights unavailable.
// Operators or layers of the topology are counted in the metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The names of the shards in the order of the groups, each once; empty where the text is not such a file.
std::vector<std::string> shardNames(std::string_view text);

// The task in the worker: the JSON, then shards; `wish` has the name of each shard that was found, one a line.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::tfjs

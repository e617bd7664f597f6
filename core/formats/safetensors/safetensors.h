// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

#include <span>

// Safetensors files and sharded models (docs/reference/formats.md, "Safetensors, one file" and "Sharded safetensors
// and Hugging Face folders"; huggingface/safetensors: safetensors/src/tensor.rs is the reference). README.md next to this header
// describes the layout, the errors and the problems.
//
// Strict refuses whatever the reference refuses. Lenient opens it, where the table of tensors can still be shown, with a problem
// of severity error; tensors whose bytes cannot be trusted are unavailable.
namespace wb::safetensors {

// True if the beginning of a file of `size` bytes can be a safetensors header (there is no magic: a length and a '{'). 64 bytes of
// `head` are enough; a file whose header is truncated is recognized too, so that open() can report the cause.
bool sniff(std::span<const std::byte> head, std::uint64_t size);

// Opens one file by itself. Model::metadata holds "__metadata__" where the file has it.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// Opens a model.safetensors.index.json and the shards it names, in parallel. A tensor whose shard is missing is listed with
// Dtype::Unknown, typeText "?", shape [0] (so that totals count the existing data) and unavailable "shard missing". The metadata
// are the index under its own name and the first shard's "__metadata__".
Result<ModelPtr> openIndex(const std::filesystem::path& index, const formats::OpenOptions& options);

// The same two as values, for a reader that adds to them. `folder` is what the names are relative to. loadFiles opens files that
// no index binds together as one model.
Result<Model> loadIndex(const std::filesystem::path& folder, const std::string& indexName, const formats::OpenOptions& options);
Result<Model> loadFiles(const std::filesystem::path& folder, const std::vector<std::string>& names,
                        const formats::OpenOptions& options);

} // namespace wb::safetensors

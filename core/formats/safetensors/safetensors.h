// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

#include <span>

namespace wb::safetensors {

// True if the beginning of a file of `size` bytes can be a safetensors header (there is no magic: a length and a '{').
bool sniff(std::span<const std::byte> head, std::uint64_t size);

// Opens one file by itself (specs/formats.md 7.1; huggingface/safetensors: safetensors/src/tensor.rs is the reference).
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// Opens a model.safetensors.index.json and the shards it names, in parallel (formats.md 7.2).
Result<ModelPtr> openIndex(const std::filesystem::path& index, const formats::OpenOptions& options);

} // namespace wb::safetensors

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Flax parameters as MessagePack (google/flax: flax/serialization.py; docs/reference/formats.md, "Flax").
namespace wb::flax {

// Whether the whole source is one MessagePack map with texts for keys that contains an array of Flax.
bool sniff(const io::ByteSource& source);

// The leaves of the tree, named by their keys joined with dots; arrays that were cut into pieces are one tensor. Other values
// become metadata. Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::flax

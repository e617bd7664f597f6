// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

#include <span>

namespace wb::gguf {

// True if the first bytes are those of a GGUF file of any version and byte order.
bool sniff(std::span<const std::byte> head);

// Opens one GGUF file or, where it is the first part of a split and `path` is in a folder, all its parts as one model.
// The layout is in README.md next to this header; the rules of refusal are docs/reference/gguf.md, "Malformed-file rules a reader
// enforces", what the lenient view adds is docs/reference/formats.md, "GGUF".
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// Opens one GGUF that is already a source (memory, later HTTP); split parts are not looked for.
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// Elements [first, first + count) of a long metadata array that Model::metadata contains only in part; `key` names it.
Result<std::vector<Value>> readArray(const Model& model, std::string_view key, std::uint64_t first, std::uint64_t count);

} // namespace wb::gguf

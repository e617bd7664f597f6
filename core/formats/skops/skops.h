// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

namespace wb {
struct ScannedFile;
}

// Models of scikit-learn as skops writes them (skops-dev/skops: skops/io/_persist.py, _general.py, _numpy.py;
// docs/reference/formats.md, "Generic pickle, joblib, scikit-learn"). README.md next to this header has the layout.
namespace wb::skops {

// Whether the members of an archive are those of a skops file.
bool isArchive(std::span<const std::string> memberNames);

// Every array that the schema names. Model::danger lists the imports of loading. Malformed where the archive or its schema
// are invalid; TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

// Adds the classes and functions that a schema names to `file`, with the level of each, wherever in the text they stand. Text that
// is not valid JSON makes the file incomplete.
void judge(std::string schema, ScannedFile& file);

} // namespace wb::skops

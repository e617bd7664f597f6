// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

namespace wb {
struct ScannedFile;
}

// Models of scikit-learn as skops writes them (skops-dev/skops: skops/io/_persist.py, _general.py, _numpy.py;
// docs/reference/docs/reference/formats.md, "Generic pickle, joblib, scikit-learn"). README.md beside this header has the layout.
namespace wb::skops {

// Whether the members of an archive are those of a skops file.
bool isArchive(std::span<const std::string> memberNames);

// Every array that the schema names. Model::danger says what loading it would import. Malformed where the archive or its schema
// make no sense; TooLarge, Cancelled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// What the worker runs.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::Task> tasks();

// Adds the classes and functions that a schema names to `file`, with the level of each, wherever in the text they stand. What is no
// JSON to its end makes the file incomplete.
void judge(std::string schema, ScannedFile& file);

} // namespace wb::skops

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Vectors of words as word2vec writes them, in its binary and its text form, which Gensim and fastText (.vec) write too
// (tmikolov/word2vec: word2vec.c; docs/reference/formats.md, "word2vec"). The rows have no common distance, so the vectors are
// unpacked when they are read.
namespace wb::word2vec {

// A line with the numbers of words and dimensions, then a word with its first numbers. `size` is that of the file.
bool sniff(std::span<const std::byte> head, std::uint64_t size);

// One tensor of F32, "vectors" [words, dimensions]; the first words are metadata. Reads the whole file to find the rows.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The tasks in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::word2vec

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Tokenizers of SentencePiece, tokenizer.model (google/sentencepiece: src/sentencepiece_model.proto; docs/reference/formats.md,
// "SentencePiece").
namespace wb::sentencepiece {

// Pieces with a text and a score first, known fields to the last byte.
bool sniff(const io::ByteSource& source);

// The scores of the pieces as one tensor, "scores"; their texts, the kind of the model, and how text is normalized are metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::sentencepiece

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Model files from before GGUF (ggml-org/llama.cpp: convert-llama-ggml-to-gguf.py; ggml-org/whisper.cpp: models/convert-pt-to-
// ggml.py) and those of llama2.c (karpathy/llama2.c: export.py); docs/reference/formats.md, "Old GGML family and llama2.c".
namespace wb::ggml {

bool sniff(std::span<const std::byte> head);     // ggml, ggmf, ggjt, ggla
bool sniffLlama2c(const io::ByteSource& source); // its magic, or the first version by its size

// The tensors of a language model, of an adapter (ggla) or of whisper.cpp. Model::version is "ggml", "ggmf 1", "ggjt 3". Block
// types whose layout changed later (before ggjt 3) are listed without values. Of other programs' headers the tensors cannot be
// found.
//
// Malformed, Unsupported, TooLarge, Canceled.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> openLlama2c(const std::filesystem::path& path, const formats::OpenOptions& options);

// The tasks in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<formats::Index> readLlama2c(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::ggml

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of fastText, .bin and .ftz (facebookresearch/fastText: src/fasttext.cc, src/args.cc, src/dictionary.cc,
// src/quantmatrix.cc, src/productquantizer.cc; docs/reference/formats.md, "fastText").
namespace wb::fasttext {

bool sniff(std::span<const std::byte> head);

// "input" (vectors of words and of n-grams) and "output" where they are; of quantized ones the codes and centroids. Settings of the
// training and the first words are metadata.
//
// Malformed, Unsupported, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::fasttext

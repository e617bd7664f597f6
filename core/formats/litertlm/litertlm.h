// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Bundles of LiteRT-LM (google-ai-edge/LiteRT-LM: schema/core/litertlm_header_schema.fbs; docs/reference/formats.md, "TFLite /
// LiteRT"): a header that lists sections, among them models of TensorFlow Lite, a tokenizer and settings.
namespace wb::litertlm {

bool sniff(std::span<const std::byte> head);

// The tensors of all models in the bundle, read where they are, with the kind of the model or the number of its section before
// their names; sparse ones and those in a section of external weights without values. Sections are metadata. Model::version is that
// of the bundle. Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::litertlm

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of CTranslate2, model.bin (OpenNMT/CTranslate2: src/models/model.cc, python/ctranslate2/specs/model_spec.py;
// docs/reference/formats.md, "CTranslate2").
namespace wb::ctranslate2 {

// By a plausible version, name of a specification, and number of variables; the format has no signature.
bool sniff(std::span<const std::byte> head);

// The variables where they are. An int8 or int16 weight with its scale ("NAME_scale") is also a decoded tensor of the same name.
// Aliases are named in the details of their variable. Numbers alone (layers, heads, flags) are also metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// A folder with such a model.bin, next to vocabularies and config.json.
bool isFolder(const std::filesystem::path& folder);
Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::ctranslate2

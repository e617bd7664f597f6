// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Opens a Hugging Face folder (config.json beside safetensors shards, a single file, or GGUF files) or a Diffusers folder
// (model_index.json with one folder a component) as one model; specs/formats.md 7.2. The folder's JSON files are metadata under
// their own names.
Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions& options);

} // namespace wb::huggingface

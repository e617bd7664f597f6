// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Opens a Hugging Face folder (config.json next to safetensors shards, a single file, or GGUF files) or a Diffusers folder
// (model_index.json with one folder a component) as one model; docs/reference/formats.md, "Sharded safetensors and
// Hugging Face folders". The folder's JSON files and templates are metadata under their own names.
//
// Model::format is "huggingface", "diffusers", "peft" for an adapter (adapter_config.json next to adapter_model.safetensors or
// adapter_model.bin), or where there is no config.json that of the weights. The tensors of a Diffusers component are called
// "<component>.<name>" ("unet.conv_in.weight"), its files and metadata "<component>/<file>". Parts of tensors (DCP written as
// safetensors) are listed as stored. A folder whose weights are of other formats, or Git LFS pointers, opens without tensors and
// reports it in its problems; Unknown is a folder without config.json, model_index.json and weights.
Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions& options);

} // namespace wb::huggingface

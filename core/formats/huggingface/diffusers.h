// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// A Diffusers pipeline (huggingface/diffusers: src/diffusers/pipelines/pipeline_utils.py): the components that model_index.json
// names, each a folder of that name, as one model. Tensors are called "<component>.<name>", files and metadata
// "<component>/<file>".
Result<Model> loadPipeline(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options);

} // namespace wb::huggingface

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Weights and companions of one folder: a model by itself or a component of a pipeline.
Result<Model> loadFolder(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options);

} // namespace wb::huggingface

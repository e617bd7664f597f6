// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Adds the folder's JSON files and templates (*.jinja, as text) to the model's metadata under their own names, config.json first,
// and every file that belongs to the model to its files: also vocabularies that are not JSON. Damaged ones
// become problems.
Result<void> addCompanions(Model& model, const std::filesystem::path& folder, const Listing& listing,
                           const formats::OpenOptions& options);

// Files whose content was not fetched (Git LFS), weights in unsupported formats, code that a loader would run.
void notePointers(Model& model, const std::filesystem::path& folder, const Listing& listing);
void noteUnreadWeights(Model& model, const Listing& listing);
void noteCode(Model& model, const Listing& listing);

// config.json's architectures[0], else its model_type; a component's or pipeline's _class_name.
std::optional<std::string> modelArchitecture(const Model& model);

} // namespace wb::huggingface

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/model/model.h"

namespace wb::gguf {

using formats::Findings;
using formats::shown;

// Makes the model whole where its file is the first part of a split (docs/reference/gguf.md, "Split files"): the other parts are
// opened beneath Model::folder, their tensors and problems added. A model without a folder, and a later part, stay alone.
Result<void> addOtherParts(Model& model, Findings& findings, const formats::OpenOptions& options);

} // namespace wb::gguf

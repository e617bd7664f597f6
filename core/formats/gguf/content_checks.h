// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/model/model.h"

namespace wb::gguf {

using formats::Findings;
using formats::shown;

// Compares what the metadata say with each other and with the tensors (specs/formats.md 7.3, semantic checks). Only remarks: no
// loader refuses for these, but nothing may be sized or indexed by such a number unseen.
void checkContent(const Model& model, Findings& findings);

} // namespace wb::gguf

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/model/model.h"

namespace wb::gguf {

using formats::Findings;
using formats::shown;

// Compares the metadata with each other and with the tensors (docs/reference/formats.md, "GGUF", semantic checks).
// Yields problems only: no loader refuses such a file, but such a number must not size or index anything unchecked.
void checkContent(const Model& model, Findings& findings);

} // namespace wb::gguf

// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

namespace wb::diff {

// The keys of both sides. A GGUF file and a folder are compared by GGUF's keys, as far as the folder decides them; the tokenizer's
// keys are left to compareTokenizers(), and files of tokenizers and indices are no metadata.
Result<MetadataDifference> compareMetadata(const Sides& sides);

// Empty where a side's vocabulary is not known.
Result<std::optional<TokenizerDifference>> compareTokenizers(const Sides& sides);

// Empty where the model has none.
std::optional<std::string> chatTemplate(const Model& model);

} // namespace wb::diff

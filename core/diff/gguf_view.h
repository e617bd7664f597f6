// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/diff/pairing.h"

namespace wb::diff {

// A Hugging Face folder as the GGUF file that it would be converted to, matrices as F32. Nothing is written: the values are
// computed when they are read.
struct GgufView {
    ModelPtr model;
    std::shared_ptr<const convert::ConvertPlan> plan;
    arch::ModelSpec spec; // of the folder
};

// Empty where the folder's class is not converted, or something else keeps it from being converted.
std::optional<GgufView> makeGgufView(const ModelPtr& folder, bool onlyVocabulary = false);

// The pairs of a GGUF file and the view of a folder. `folderIsA`: the folder is the first side. Models of the pairing: `gguf` and
// `view` are their indices.
std::vector<PlannedPair> pairsOfView(const Model& gguf, const std::shared_ptr<const GgufView>& view, bool folderIsA,
                                     std::size_t ggufIndex, std::size_t viewIndex);

} // namespace wb::diff

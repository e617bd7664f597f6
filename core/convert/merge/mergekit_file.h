// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/merge_choices.h"
#include "core/tensor/dtype.h"

#include <filesystem>

// The YAML configuration of arcee-ai/mergekit (mergekit/config.py) for the methods of this program.
namespace wb::convert {

struct MergekitRecipe {
    std::string base; // of the merge: absolute path, UTF-8
    MergeChoices choices;
    std::optional<Dtype> type; // F32, F16 or BF16; empty: that of the base

    bool operator==(const MergekitRecipe&) const = default;
};

// Reads one that may come from anybody. Relative paths are below `folder`. Unsupported with what cannot be expressed here: other
// methods, a density or gradient of one model alone, the union of tokenizers; Malformed with `name`. Hub ids are taken as paths.
Result<MergekitRecipe> parseMergekit(std::string_view yaml, const std::string& name, const std::filesystem::path& folder);

// The same from a file. NotFound, NotReadable.
Result<MergekitRecipe> readMergekit(const std::filesystem::path& path);

// The same merge for mergekit. Unsupported for rules that name a tensor by a pattern: its filters match parts of names alone.
Result<std::string> mergekitText(const MergekitRecipe& recipe);

} // namespace wb::convert

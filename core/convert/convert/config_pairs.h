// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/convert/family_table.h"
#include "core/convert/convert/pair_list.h"
#include "core/convert/convert/source_folder.h"

namespace wb::conversion {

// Adds the pairs that config.json yields by these rules, those of `family`. Malformed where a number that is required is missing or
// a member is no number. What GGUF cannot say is a warning.
Result<void> addConfigPairs(const SourceFolder& folder, const ConvertFamily& family, std::span<const PairRule> rules,
                            PairList& pairs, std::vector<Problem>& problems);

} // namespace wb::conversion

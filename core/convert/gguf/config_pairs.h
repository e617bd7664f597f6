// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/rope_pairs.h"

namespace wb::convert {

// Adds the pairs that config.json yields by these rules. Malformed where a number that is required is missing or a member has
// another type. Values that GGUF cannot express are a warning.
Result<void> addConfigPairs(const PairContext& context, std::span<const KeyRule> rules);

} // namespace wb::convert

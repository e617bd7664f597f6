// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/mix/mix.h"

namespace wb::quant {

// The patterns of rules that are found in no tensor's name, as the user wrote them: most likely mistyped. Fails as checkPatterns
// does.
Result<std::vector<std::string>> unmatchedPatterns(const Model& model, const std::vector<TensorTypeRule>& rules);

} // namespace wb::quant

// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/grammar/grammar.h"

#include <optional>

namespace wb::text {

// A rule that can come to itself before any character, which a matcher could follow endlessly; empty: none exists.
std::optional<std::uint32_t> leftRecursiveRule(const Grammar& grammar);

} // namespace wb::text

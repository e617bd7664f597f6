// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wb::text {

// The family ("F01") of tables/pretokenizers.txt whose expressions these are, in any usual notation; empty if none exists. Equal
// expressions prove equal splitting, whatever the vocabulary is. Families that share their expressions: the first.
std::string_view splittingRule(std::span<const std::string> expressions);

// The expression of byte-level pre-tokenizers that do not state one.
extern const std::string_view byteLevelExpression;

} // namespace wb::text

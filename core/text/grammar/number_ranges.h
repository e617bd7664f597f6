// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wb::text {

// The decimal integers from low to high, both included, as alternatives in GBNF; an absent bound is none (16 digits at most). low
// is at most high, and both are of at most 15 digits.
std::string integersBetween(std::optional<std::int64_t> low, std::optional<std::int64_t> high);

} // namespace wb::text

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wb::text {

// The decimal integers from low to high, both included, as alternatives in GBNF; an absent bound is none (16 digits at most). low
// is at most high, and both are of at most 15 digits.
std::string integersBetween(std::optional<std::int64_t> low, std::optional<std::int64_t> high);

// An end of a range of numbers: below 10^15 in magnitude.
struct NumberBound {
    double value = 0;
    bool isExclusive = false; // the value itself is outside
};

// The decimal numbers between the bounds, with up to 16 digits before the point and after it and without an exponent, as
// alternatives in GBNF; empty if none exist. A bound is taken as the shortest decimal that stands for its value, as files
// write it.
std::string numbersBetween(const std::optional<NumberBound>& low, const std::optional<NumberBound>& high);

} // namespace wb::text

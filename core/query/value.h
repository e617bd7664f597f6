// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wb::query {

// "10M", "1.5KiB", "-3e-4": the number in units of one.
std::optional<double> parseNumber(std::string_view text);

struct Range {
    double low;
    double high;
};

// "0-3", "0..3", "4-" (no end), "5" (itself).
std::optional<Range> parseRange(std::string_view text);

// "4096x14336", "[4096, *]", "" or "[]" for a scalar; an empty entry is *.
std::optional<std::vector<std::optional<std::uint64_t>>> parseShape(std::string_view text);

} // namespace wb::query

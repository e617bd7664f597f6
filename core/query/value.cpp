// SPDX-License-Identifier: MIT
#include "core/query/value.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace wb::query {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 18> units = {{
    {"", 1},
    {"b", 1},
    {"k", 1e3},
    {"kb", 1e3},
    {"ki", 1024.0},
    {"kib", 1024.0},
    {"m", 1e6},
    {"mb", 1e6},
    {"mi", 1048576.0},
    {"mib", 1048576.0},
    {"g", 1e9},
    {"gb", 1e9},
    {"gi", 1073741824.0},
    {"gib", 1073741824.0},
    {"t", 1e12},
    {"tb", 1e12},
    {"ti", 1099511627776.0},
    {"tib", 1099511627776.0},
}};

using ascii::isDigit;

// The length of the number at the beginning of `text`, an exponent included, a unit not.
std::size_t numberLength(std::string_view text) {
    const auto digitsFrom = [&](std::size_t at) {
        while (at < text.size() && isDigit(text[at])) ++at;
        return at;
    };
    std::size_t end = digitsFrom(!text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0);
    if (end < text.size() && text[end] == '.' && !text.substr(end).starts_with("..")) end = digitsFrom(end + 1);
    if (end >= text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
    const std::size_t exponentEnd = digitsFrom(end + 1 + sign);
    return exponentEnd > end + 1 + sign ? exponentEnd : end;
}

std::optional<std::uint64_t> parseDimension(std::string_view text) {
    const auto number = parseNumber(text);
    if (!number || *number < 0 || *number > 9e15) return std::nullopt;
    const auto dimension = static_cast<std::uint64_t>(*number);
    if (static_cast<double>(dimension) != *number) return std::nullopt;
    return dimension;
}

} // namespace

std::optional<double> parseNumber(std::string_view text) {
    const std::size_t length = numberLength(text);
    const auto number = parseDouble(text.substr(0, length));
    const std::string unit = ascii::lowered(text.substr(length));
    const auto found = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
    if (!number || found == units.end()) return std::nullopt;
    return *number * found->second;
}

std::optional<Range> parseRange(std::string_view text) {
    if (const auto number = parseNumber(text)) return Range{*number, *number};
    const std::size_t dash = text.find_first_of("-.", std::max<std::size_t>(numberLength(text), 1));
    if (dash == std::string_view::npos) return std::nullopt;
    const bool isDots = text.substr(dash).starts_with("..");
    if (text[dash] == '.' && !isDots) return std::nullopt;
    const auto low = parseNumber(text.substr(0, dash));
    const std::string_view end = text.substr(dash + (isDots ? 2 : 1));
    const auto high = end.empty() ? std::numeric_limits<double>::infinity() : parseNumber(end);
    if (!low || !high) return std::nullopt;
    return Range{*low, *high};
}

std::optional<std::vector<std::optional<std::uint64_t>>> parseShape(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    std::vector<std::optional<std::uint64_t>> dimensions;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("xX,"), text.size());
        std::string_view word = text.substr(0, end);
        while (word.starts_with(' ')) word.remove_prefix(1);
        const auto dimension = parseDimension(word);
        if (!dimension && word != "*") return std::nullopt;
        dimensions.push_back(dimension);
        if (end + 1 == text.size()) return std::nullopt; // ends with a separator
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return dimensions;
}

} // namespace wb::query

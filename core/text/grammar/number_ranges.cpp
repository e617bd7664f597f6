// SPDX-License-Identifier: MIT
#include "core/text/grammar/number_ranges.h"

#include <limits>
#include <vector>

namespace wb::text {
namespace {

std::string digits(char low, char high) {
    return low == high ? std::string("\"") + low + "\"" : std::string("[") + low + "-" + high + "]";
}

std::string anyDigits(std::size_t count) { return count == 0 ? "" : " [0-9]{" + std::to_string(count) + "}"; }

// Numbers of equal length, digit by digit: behind a first digit strictly between the bounds everything may follow.
std::string sameLength(const std::string& low, const std::string& high) {
    if (low.empty()) return "\"\"";
    const std::string restLow = low.substr(1), restHigh = high.substr(1);
    if (low[0] == high[0]) return digits(low[0], low[0]) + (restLow.empty() ? "" : " (" + sameLength(restLow, restHigh) + ")");
    const std::string nines(restLow.size(), '9'), zeros(restLow.size(), '0');
    std::string all;
    const auto add = [&all](const std::string& one) { all += (all.empty() ? "" : " | ") + one; };
    char from = low[0], to = high[0];
    if (restLow != zeros) {
        add(digits(low[0], low[0]) + " (" + sameLength(restLow, nines) + ")");
        ++from;
    }
    if (restHigh != nines) {
        add(digits(high[0], high[0]) + " (" + sameLength(zeros, restHigh) + ")");
        --to;
    }
    if (from <= to) add(digits(from, to) + anyDigits(restLow.size()));
    return all;
}

constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();

// From low to high, or without end.
std::string natural(std::uint64_t low, std::uint64_t high) {
    std::string all;
    const std::string first = std::to_string(low), last = high != unbounded ? std::to_string(high) : std::string(first.size(), '9');
    for (std::size_t length = first.size(); length <= last.size(); ++length) {
        const std::string from = length == first.size() ? first : "1" + std::string(length - 1, '0');
        const std::string to = length == last.size() ? last : std::string(length, '9');
        all += (all.empty() ? "" : " | ") + sameLength(from, to);
    }
    if (high == unbounded && first.size() < 16) all += " | [1-9] [0-9]{" + std::to_string(first.size()) + ",15}";
    return all;
}

} // namespace

std::string integersBetween(std::optional<std::int64_t> low, std::optional<std::int64_t> high) {
    std::vector<std::string> parts;
    if (!low || *low < 0) {
        const std::uint64_t nearest = high && *high < 0 ? static_cast<std::uint64_t>(-*high) : 1;
        const std::uint64_t farthest = low ? static_cast<std::uint64_t>(-*low) : unbounded;
        parts.push_back("\"-\" (" + natural(nearest, farthest) + ")");
    }
    if (!high || *high >= 0) {
        const std::uint64_t from = low && *low > 0 ? static_cast<std::uint64_t>(*low) : 0;
        parts.push_back(natural(from, high ? static_cast<std::uint64_t>(*high) : unbounded));
    }
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : " | ") + part;
    return all;
}

} // namespace wb::text

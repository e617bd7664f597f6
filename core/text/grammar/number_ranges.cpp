// SPDX-License-Identifier: MIT
#include "core/text/grammar/number_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace wb::text {
namespace {

std::string digits(char low, char high) {
    return low == high ? std::string("\"") + low + "\"" : std::string("[") + low + "-" + high + "]";
}

std::string anyDigits(std::size_t count) { return count == 0 ? "" : " [0-9]{" + std::to_string(count) + "}"; }

// Numbers of equal length, digit by digit: after a first digit strictly between the bounds everything may follow.
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

// From low to high, or endlessly.
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

// A bound's magnitude: a whole part and the digits after the point, without zeros at their end.
struct Decimal {
    std::uint64_t whole = 0;
    std::string fraction;
    bool isExclusive = false;
};

// fmt writes the shortest decimal, with an exponent where it is small.
Decimal boundDecimal(const NumberBound& bound) {
    const std::string shortest = fmt::format("{}", std::fabs(bound.value));
    const std::size_t e = std::min(shortest.find('e'), shortest.size());
    const int exponent = e < shortest.size() ? std::stoi(shortest.substr(e + 1)) : 0;
    const std::size_t point = std::min(shortest.find('.'), e);
    std::string digits = shortest.substr(0, point) + (point < e ? shortest.substr(point + 1, e - point - 1) : std::string());
    const auto before = static_cast<std::ptrdiff_t>(point) + exponent;
    if (before < 1) digits.insert(0, static_cast<std::size_t>(1 - before), '0');
    const auto whole = static_cast<std::size_t>(std::max<std::ptrdiff_t>(before, 1));
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    Decimal decimal{std::stoull(digits.substr(0, whole)), digits.substr(whole), bound.isExclusive};
    decimal.fraction.erase(decimal.fraction.find_last_not_of('0') + 1);
    return decimal;
}

// The fractions between two bounds of the same whole part, digit by digit. A null bound is none.
class Fractions {
public:
    Fractions(const Decimal* low, const Decimal* high) : m_low(low), m_high(high) {}

    // The point and digits, in brackets with a question mark where none are needed; empty where no fraction is between.
    std::string text() const {
        const bool isLow = m_low != nullptr, isHigh = m_high != nullptr, mayBeNone = mayEnd(0, isLow, isHigh);
        const std::string some = digitsFrom(0, isLow, isHigh);
        if (some.empty()) return mayBeNone ? "\"\"" : "";
        const std::string behindPoint = "\".\" (" + some + ")";
        return mayBeNone ? "(" + behindPoint + ")?" : behindPoint;
    }

private:
    static constexpr std::size_t maxDigits = 16;

    static char digit(const Decimal& bound, std::size_t at) { return at < bound.fraction.size() ? bound.fraction[at] : '0'; }
    static bool isUsedUp(const Decimal& bound, std::size_t at) { return at >= bound.fraction.size(); }

    // Whether a number may end here, whose digits so far are those of the low bound, of the high one, or of both.
    bool mayEnd(std::size_t at, bool isLow, bool isHigh) const {
        if (isLow && (!isUsedUp(*m_low, at) || m_low->isExclusive)) return false;
        return !isHigh || !isUsedUp(*m_high, at) || !m_high->isExclusive;
    }

    // At least one further digit.
    std::string digitsFrom(std::size_t at, bool isLow, bool isHigh) const {
        if (isLow && isUsedUp(*m_low, at) && !m_low->isExclusive) isLow = false; // whatever follows is not below
        if (!isLow && !isHigh) return "[0-9]{1," + std::to_string(maxDigits) + "}";
        if ((!isLow || isUsedUp(*m_low, at)) && (!isHigh || isUsedUp(*m_high, at))) return zerosAndMore(isLow, isHigh);
        const char from = isLow ? digit(*m_low, at) : '0', to = isHigh ? digit(*m_high, at) : '9';
        std::string all;
        const auto add = [&all](const std::string& one) {
            if (!one.empty()) all += (all.empty() ? "" : " | ") + one;
        };
        if (from == to) return followed(from, from, at, isLow, isHigh);
        if (isLow) add(followed(from, from, at, true, false));
        const char first = isLow ? static_cast<char>(from + 1) : from, last = isHigh ? static_cast<char>(to - 1) : to;
        if (first <= last) add(followed(first, last, at, false, false));
        if (isHigh) add(followed(to, to, at, false, true));
        return all;
    }

    // A digit of a range, and what may follow it.
    std::string followed(char first, char last, std::size_t at, bool isLow, bool isHigh) const {
        const std::string rest = digitsFrom(at + 1, isLow, isHigh);
        const bool ends = mayEnd(at + 1, isLow, isHigh);
        if (rest.empty()) return ends ? digits(first, last) : "";
        return digits(first, last) + " (" + rest + ")" + (ends ? "?" : "");
    }

    // Behind all digits of the bounds: zeros change nothing, another digit makes the number greater.
    std::string zerosAndMore(bool isLow, bool isHigh) const {
        if (isHigh && (isLow || m_high->isExclusive)) return "";
        return isLow ? "\"0\"{0,15} [1-9] [0-9]{0,15}" : "\"0\"{1,16}";
    }

    const Decimal* m_low;
    const Decimal* m_high;
};

// Numbers that are not negative.
std::string magnitudes(const Decimal& low, const std::optional<Decimal>& high) {
    std::string all;
    const auto add = [&all](const std::string& whole, const std::string& fraction) {
        if (!fraction.empty()) all += (all.empty() ? "" : " | ") + whole + " " + fraction;
    };
    const auto literal = [](std::uint64_t whole) { return "\"" + std::to_string(whole) + "\""; };
    const bool isOneWhole = high && high->whole == low.whole;
    if (high && high->whole < low.whole) return "";
    add(literal(low.whole), Fractions(&low, isOneWhole ? &*high : nullptr).text());
    if (!high || high->whole - low.whole > 1)
        add("(" + natural(low.whole + 1, high ? high->whole - 1 : unbounded) + ")", Fractions(nullptr, nullptr).text());
    if (high && !isOneWhole) add(literal(high->whole), Fractions(nullptr, &*high).text());
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

std::string numbersBetween(const std::optional<NumberBound>& low, const std::optional<NumberBound>& high) {
    const auto decimal = [](const std::optional<NumberBound>& bound) {
        return bound ? std::optional(boundDecimal(*bound)) : std::nullopt;
    };
    std::string all;
    if (!low || low->value < 0) { // the content below zero, its magnitudes the other way round
        const bool endsBelow = high && (high->value < 0 || (high->value == 0 && high->isExclusive));
        const std::string below = magnitudes(endsBelow ? boundDecimal(*high) : Decimal{}, decimal(low));
        if (!below.empty()) all = "\"-\" (" + below + ")";
    }
    if (!high || high->value >= 0) {
        const bool beginsAbove = low && (low->value > 0 || (low->value == 0 && low->isExclusive));
        const std::string above = magnitudes(beginsAbove ? boundDecimal(*low) : Decimal{}, decimal(high));
        if (!above.empty()) all += (all.empty() ? "" : " | ") + above;
    }
    return all;
}

} // namespace wb::text

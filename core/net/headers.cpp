// SPDX-License-Identifier: MIT
#include "core/net/headers.h"

#include "core/base/ascii.h"
#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace wb::net {
namespace {

constexpr std::int64_t longestWait = 3600;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Takes the text before the separator off the front; everything if none exists.
std::string_view take(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

// The value of `;name=value` or `;name="value"` after an item.
std::optional<std::string> parameter(std::string_view parameters, std::string_view name) {
    while (!parameters.empty()) {
        std::string_view part = take(parameters, ';');
        const std::string_view key = trimmed(take(part, '='));
        std::string_view value = trimmed(part);
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        if (ascii::same(key, name)) return std::string(value);
    }
    return std::nullopt;
}

// Whether the words of a rel="a b" have this one.
bool hasWord(std::string_view words, std::string_view word) {
    while (!words.empty())
        if (ascii::same(trimmed(take(words, ' ')), word)) return true;
    return false;
}

// Of a RateLimit line with several buckets the longest wait of those that are empty.
std::optional<std::int64_t> rateLimitSeconds(std::string_view value) {
    std::optional<std::int64_t> longest;
    while (!value.empty()) {
        std::string_view bucket = take(value, ',');
        (void)take(bucket, ';'); // its name
        const auto left = parameter(bucket, "r"), seconds = parameter(bucket, "t");
        const auto wait = seconds ? number(*seconds) : std::nullopt;
        if (!left || number(*left) != 0u || !wait) continue;
        longest = std::max(longest.value_or(0), static_cast<std::int64_t>(std::min<std::uint64_t>(*wait, longestWait)) + 1);
    }
    return longest;
}

} // namespace

const std::string* Headers::find(std::string_view name) const {
    const auto at = std::ranges::find_if(m_fields, [name](const HeaderField& field) { return ascii::same(field.name, name); });
    return at == m_fields.end() ? nullptr : &at->value;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const HeaderField& field : m_fields)
        if (ascii::same(field.name, name)) values.push_back(field.value);
    return values;
}

std::optional<ContentRange> parseContentRange(std::string_view value) {
    value = trimmed(value);
    if (value.size() < 6 || !ascii::same(value.substr(0, 6), "bytes ")) return std::nullopt;
    value = trimmed(value.substr(6));
    const std::string_view range = take(value, '/');
    ContentRange result;
    if (value != "*") {
        result.total = number(value);
        if (!result.total) return std::nullopt;
    }
    if (range == "*") return result.total ? std::optional(result) : std::nullopt;
    std::string_view last = range;
    const auto first = number(take(last, '-'));
    const auto end = number(last) ? checked::add(*number(last), 1) : std::nullopt;
    if (!first || !end || *end <= *first || (result.total && *end > *result.total)) return std::nullopt;
    result.begin = *first;
    result.end = *end;
    return result;
}

std::optional<std::uint64_t> contentLength(const Headers& headers) {
    std::optional<std::uint64_t> length;
    for (const std::string_view value : headers.all("Content-Length")) {
        const auto stated = number(trimmed(value));
        if (!stated || (length && *length != *stated)) return std::nullopt;
        length = stated;
    }
    return length;
}

std::optional<std::string> linkWithRelation(const Headers& headers, std::string_view relation) {
    for (std::string_view line : headers.all("Link")) {
        while (true) {
            const std::size_t begin = line.find('<');
            const std::size_t end = begin == line.npos ? line.npos : line.find('>', begin);
            if (end == line.npos) break;
            const std::string_view address = line.substr(begin + 1, end - begin - 1);
            line.remove_prefix(end + 1);
            const std::size_t next = std::min(line.find('<'), line.size());
            std::string_view parameters = trimmed(line.substr(0, next));
            if (parameters.ends_with(',')) parameters.remove_suffix(1);
            const auto relations = parameter(parameters, "rel");
            if (relations && hasWord(*relations, relation)) return std::string(address);
        }
    }
    return std::nullopt;
}

std::string entityTag(std::string_view value) {
    value = trimmed(value);
    if (value.starts_with("W/")) value.remove_prefix(2);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return std::string(value);
}

std::optional<std::int64_t> secondsToWait(const Headers& headers, std::int64_t unixNow) {
    if (const std::string* limit = headers.find("RateLimit"))
        if (const auto seconds = rateLimitSeconds(*limit)) return seconds;
    const std::string* after = headers.find("Retry-After");
    if (!after) return std::nullopt;
    if (const auto seconds = number(trimmed(*after)))
        return static_cast<std::int64_t>(std::min<std::uint64_t>(*seconds, longestWait));
    const auto date = parseHttpDate(trimmed(*after));
    if (!date) return std::nullopt;
    return std::clamp<std::int64_t>(*date > unixNow ? *date - unixNow : 0, 0, longestWait);
}

std::optional<std::int64_t> parseHttpDate(std::string_view text) {
    static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    // The one form that servers send: day and date at fixed places.
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
    const auto month = std::ranges::find(months, text.substr(8, 3));
    const auto day = number(text.substr(5, 2)), year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2)), minute = number(text.substr(20, 2)), second = number(text.substr(23, 2));
    if (month == months.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(static_cast<int>(*year)),
                              std::chrono::month(static_cast<unsigned>(month - months.begin()) + 1),
                              std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    constexpr std::int64_t daySeconds = 86400, hourSeconds = 3600, minuteSeconds = 60;
    return sys_days(date).time_since_epoch().count() * daySeconds +
           static_cast<std::int64_t>(*hour * hourSeconds + *minute * minuteSeconds + *second);
}

std::string redacted(std::string_view text) {
    static constexpr std::array<std::string_view, 7> secrets = {
        "auth_key=", "signature=", "x-amz-", "policy=", "key-pair-id=", "token=", "authorization:"};
    const auto isWordEnd = [](char c) { return c == '&' || c == ' ' || c == '"' || c == '\'' || c == '\n' || c == '>'; };
    std::string out;
    while (!text.empty()) {
        const auto begins = [&text](std::string_view secret) {
            return text.size() >= secret.size() && ascii::same(text.substr(0, secret.size()), secret);
        };
        const bool isToken = text.starts_with("hf_") || begins("bearer ");
        const auto secret = std::ranges::find_if(secrets, begins);
        if (!isToken && secret == secrets.end()) {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t kept = isToken ? (text.starts_with("hf_") ? 3 : 7) : secret->size();
        out.append(text.substr(0, kept)).append("…");
        text.remove_prefix(kept);
        while (!text.empty() && !isWordEnd(text.front())) text.remove_prefix(1);
    }
    return out;
}

} // namespace wb::net

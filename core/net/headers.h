// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The lines above a body, and what the ones that this program obeys say (RFC 9110, RFC 8288). All are untrusted: text of another
// form is ignored.
namespace wb::net {

struct HeaderField {
    std::string name;
    std::string value;

    bool operator==(const HeaderField&) const = default;
};

// In the order they came; names in any case, and repeated ones allowed.
class Headers {
public:
    Headers() = default;
    Headers(std::initializer_list<HeaderField> fields) : m_fields(fields) {}

    void add(std::string name, std::string value) { m_fields.push_back({std::move(name), std::move(value)}); }
    const std::string* find(std::string_view name) const; // the first; null: none exists
    std::vector<std::string_view> all(std::string_view name) const;
    const std::vector<HeaderField>& fields() const { return m_fields; }

    bool operator==(const Headers&) const = default;

private:
    std::vector<HeaderField> m_fields;
};

// "bytes 0-99/1000", "bytes 0-99/*", "bytes */1000". `end` is one beyond the last byte.
struct ContentRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;              // 0: no bytes, only the total
    std::optional<std::uint64_t> total; // empty: not known

    bool operator==(const ContentRange&) const = default;
};
std::optional<ContentRange> parseContentRange(std::string_view value);

// A number of bytes; empty where it is none or where several such lines disagree.
std::optional<std::uint64_t> contentLength(const Headers& headers);

// The address with this relation among all Link lines: `<address>; rel="next", <…>; rel="…"`.
std::optional<std::string> linkWithRelation(const Headers& headers, std::string_view relation);

// The content's name without W/ and quotes; empty if none exists.
std::string entityTag(std::string_view value);

// How long the server wants to be left alone, in seconds: RateLimit with nothing left (`"api";r=0;t=2`) and one second more, else
// Retry-After as seconds or as a date, counted from `unixNow`. Empty: it does not specify. At most an hour.
std::optional<std::int64_t> secondsToWait(const Headers& headers, std::int64_t unixNow);

// "Sun, 06 Nov 1994 08:49:37 GMT" in seconds since 1970.
std::optional<std::int64_t> parseHttpDate(std::string_view text);

// The text without what must not be seen in messages, logs and journals: tokens and the signatures of addresses.
std::string redacted(std::string_view text);

} // namespace wb::net

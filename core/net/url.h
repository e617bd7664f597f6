// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb::net {

// An address that this program goes to: http or https, never with a user name in it (RFC 3986). Host and port are the identity of
// who is spoken to: tokens are kept by them.
struct Url {
    std::string scheme = "https";
    std::string host;       // lower case; IPv6 addresses without brackets
    std::uint16_t port = 0; // always set
    std::string target;     // path and query as they stand, percent signs untouched; starts with '/'

    std::string authority() const; // "host", "host:8080", "[::1]:8080": as the Host header has it
    std::string origin() const;    // "https://host"
    std::string text() const;      // the whole address
    std::string path() const;      // of the target, without the query
    bool isSecure() const { return scheme == "https"; }
    bool isSameOrigin(const Url& other) const { return scheme == other.scheme && host == other.host && port == other.port; }

    bool operator==(const Url&) const = default;
};

inline constexpr std::size_t maxUrlBytes = 16 << 10; // signed addresses are long

// Empty for any other scheme, a user name or password, blanks and control characters, an empty host, a port that is none. A
// fragment is dropped.
std::optional<Url> parseUrl(std::string_view text);

// The target of a Location or Link relative to `base`: a whole address, "//host/…", "/path" or "?query". Empty where parseUrl
// refuses it.
std::optional<Url> resolveReference(const Url& base, std::string_view reference);

// Whether the host is this machine, by name or number, without asking a name server.
bool isLoopback(std::string_view host);

// Everything but letters, digits and -._~ as %XX; '/' too unless `keepSlashes`.
std::string percentEncode(std::string_view text, bool keepSlashes = false);

// %XX undone; other text stays.
std::string percentDecode(std::string_view text);

// A query that grows value by value, in order: "?a=b&c=d", both parts encoded; empty while nothing was added.
class Query {
public:
    void add(std::string_view name, std::string_view value);
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

} // namespace wb::net

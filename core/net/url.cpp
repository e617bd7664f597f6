// SPDX-License-Identifier: MIT
#include "core/net/url.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace wb::net {
namespace {

constexpr std::uint16_t plainPort = 80;
constexpr std::uint16_t securePort = 443;

std::uint16_t usualPort(std::string_view scheme) { return scheme == "https" ? securePort : plainPort; }

bool isUnreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ascii::isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

// Letters, digits, hyphens, dots and underscores; of an address in brackets the text between them.
bool isHost(std::string_view host, bool isNumber6) {
    const auto isAllowed = [isNumber6](char c) {
        if (isNumber6) return ascii::hexValue(c) >= 0 || c == ':' || c == '.';
        return isUnreserved(c) && c != '~';
    };
    return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, isAllowed);
}

// Empty text is the usual port.
std::optional<std::uint16_t> portFromText(std::string_view text, std::string_view scheme) {
    if (text.empty()) return usualPort(scheme);
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
    return port;
}

// "host", "host:port", "[address]", "[address]:port".
bool readAuthority(std::string_view text, Url& url) {
    const bool isNumber6 = text.starts_with('[');
    const std::size_t hostEnd = isNumber6 ? text.find(']') : std::min(text.find(':'), text.size());
    if (hostEnd == std::string_view::npos) return false;
    url.host = ascii::lowered(text.substr(isNumber6 ? 1 : 0, hostEnd - (isNumber6 ? 1 : 0)));
    std::string_view rest = text.substr(hostEnd + (isNumber6 ? 1 : 0));
    if (!rest.empty() && !rest.starts_with(':')) return false;
    if (!rest.empty()) rest.remove_prefix(1);
    const auto port = portFromText(rest, url.scheme);
    if (!port || !isHost(url.host, isNumber6)) return false;
    url.port = *port;
    return true;
}

} // namespace

std::string Url::authority() const {
    const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return port == usualPort(scheme) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::origin() const { return scheme + "://" + authority(); }
std::string Url::text() const { return origin() + target; }
std::string Url::path() const { return target.substr(0, target.find('?')); }

std::optional<Url> parseUrl(std::string_view text) {
    const auto isRefused = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '\\'; };
    if (text.size() > maxUrlBytes || std::ranges::any_of(text, isRefused)) return std::nullopt;
    text = text.substr(0, text.find('#'));
    const std::size_t colon = text.find("://");
    if (colon == std::string_view::npos) return std::nullopt;
    Url url;
    url.scheme = ascii::lowered(text.substr(0, colon));
    if (url.scheme != "http" && url.scheme != "https") return std::nullopt;
    text.remove_prefix(colon + 3);
    const std::size_t end = std::min(text.find_first_of("/?"), text.size());
    if (!readAuthority(text.substr(0, end), url)) return std::nullopt; // a user name ends in '@', which no host has
    url.target = text.substr(end);
    if (!url.target.starts_with('/')) url.target.insert(url.target.begin(), '/');
    return url;
}

std::optional<Url> resolveReference(const Url& base, std::string_view reference) {
    if (reference.starts_with("//")) return parseUrl(base.scheme + ":" + std::string(reference));
    if (reference.starts_with('/')) return parseUrl(base.origin() + std::string(reference));
    if (reference.starts_with('?')) return parseUrl(base.origin() + base.path() + std::string(reference));
    return parseUrl(reference);
}

bool isLoopback(std::string_view host) {
    return host == "localhost" || host == "::1" || (host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos);
}

std::string percentEncode(std::string_view text, bool keepSlashes) {
    std::string out;
    for (const char c : text) {
        if (isUnreserved(c) || (keepSlashes && c == '/')) out += c;
        else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string percentDecode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isTriple =
            text[i] == '%' && i + 2 < text.size() && ascii::hexValue(text[i + 1]) >= 0 && ascii::hexValue(text[i + 2]) >= 0;
        out += isTriple ? static_cast<char>(ascii::hexValue(text[i + 1]) * 16 + ascii::hexValue(text[i + 2])) : text[i];
        if (isTriple) i += 2;
    }
    return out;
}

void Query::add(std::string_view name, std::string_view value) {
    m_text += m_text.empty() ? '?' : '&';
    m_text += percentEncode(name) + '=' + percentEncode(value);
}

} // namespace wb::net

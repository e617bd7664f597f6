// SPDX-License-Identifier: MIT
#include "core/base/error.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/json/scanner.h"

#include <array>

namespace wb::json {
namespace {

enum class Kind : std::uint8_t { Plain, High, Quote, Backslash, Control };

constexpr std::array<Kind, 256> kinds = [] {
    std::array<Kind, 256> table{};
    for (std::size_t c = 0; c < 256; ++c) table[c] = c < 0x20 ? Kind::Control : c >= 0x80 ? Kind::High : Kind::Plain;
    table['"'] = Kind::Quote;
    table['\\'] = Kind::Backslash;
    return table;
}();

Kind characterKind(char c) { return kinds[static_cast<unsigned char>(c)]; }

constexpr bool isHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool isLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

void appendUtf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace

// Most strings hold neither escapes nor anything beyond ASCII; they are handed out as they are in the text.
bool Scanner::string() {
    const std::size_t begin = ++m_at;
    bool high = false;
    for (; m_at < m_text.size(); ++m_at) {
        const Kind kind = characterKind(m_text[m_at]);
        if (kind == Kind::Plain) continue;
        if (kind == Kind::High) high = true;
        else break;
    }
    if (at('\\')) {
        if (!decodeEscapes(begin, m_at)) return false;
        high = true;
    } else {
        m_value = m_text.substr(begin, m_at - begin);
    }
    if (m_at == m_text.size()) return bad(begin - 1, WB_TEXT("a string has no end")), false;
    if (!at('"'))
        return bad(m_at, at('\0') ? WB_TEXT("there is a NUL byte") : WB_TEXT("there is a control character in a string")), false;
    if (high) repairUtf8(begin);
    ++m_at;
    return true;
}

// Copies the string from `start` on into m_decoded, where the first backslash is at `from`; stops like string() does.
bool Scanner::decodeEscapes(std::size_t begin, std::size_t from) {
    m_decoded.assign(m_text.substr(begin, from - begin));
    while (m_at < m_text.size()) {
        const Kind kind = characterKind(m_text[m_at]);
        if (kind == Kind::Quote || kind == Kind::Control) break;
        if (kind == Kind::Backslash) {
            if (!decodeEscape()) return bad(m_at, WB_TEXT("there is an unknown escape in a string")), false;
        } else {
            m_decoded += m_text[m_at++];
        }
    }
    m_value = m_decoded;
    return true;
}

bool Scanner::decodeEscape() {
    if (m_at + 1 >= m_text.size()) return false;
    const char letter = m_text[m_at + 1];
    if (letter == 'u') return decodeUnicode();
    static constexpr std::string_view letters = "\"\\/bfnrt";
    static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const std::size_t which = letters.find(letter);
    if (which == std::string_view::npos) return false;
    m_decoded += meanings[which];
    m_at += 2;
    return true;
}

// The four digits of the \u at m_at, which is passed over; empty (and not passed) if none exists.
std::optional<std::uint32_t> Scanner::hexDigits() {
    if (!m_text.substr(m_at).starts_with("\\u") || m_text.size() - m_at < 6) return std::nullopt;
    std::uint32_t code = 0;
    for (const char c : m_text.substr(m_at + 2, 4)) {
        const int digit = ascii::hexValue(c);
        if (digit < 0) return std::nullopt;
        code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    m_at += 6;
    return code;
}

// A half of a surrogate pair alone becomes U+FFFD.
bool Scanner::decodeUnicode() {
    const auto unit = hexDigits();
    if (!unit) return false;
    std::uint32_t code = *unit;
    if (isHighSurrogate(code)) {
        const std::size_t after = m_at;
        const auto low = hexDigits();
        if (low && isLowSurrogate(*low)) code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
        else m_at = after;
    }
    if (isHighSurrogate(code) || isLowSurrogate(code)) {
        if (!m_invalidUtf8) m_invalidUtf8 = m_at;
        code = 0xFFFD;
    }
    appendUtf8(m_decoded, code);
    return true;
}

void Scanner::repairUtf8(std::size_t begin) {
    if (isUtf8(m_value)) return;
    if (!m_invalidUtf8) m_invalidUtf8 = begin;
    m_decoded = toUtf8(m_value);
    m_value = m_decoded;
}

} // namespace wb::json

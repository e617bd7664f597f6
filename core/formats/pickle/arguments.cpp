// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/base/ascii.h"
#include "core/formats/pickle/runner.h"

#include <algorithm>
#include <charconv>
#include <cstring>

// The argument of an opcode in its stream.
namespace wb::pickle {
namespace {

constexpr std::uint64_t longestLine = 16 << 20;

// A number as Python's int() takes it from a line: blanks around it, a sign, underscores between digits, 0x 0o 0b where `base` is
// 0.
std::optional<std::int64_t> parseInteger(std::string_view text, int base) {
    std::string digits;
    for (const char c : text)
        if (c != '_' && c != ' ' && c != '\t' && c != '\r') digits += c;
    const bool isNegative = digits.starts_with('-');
    if (isNegative || digits.starts_with('+')) digits.erase(0, 1);
    if (base == 0) {
        base = 10;
        const std::string_view prefix = std::string_view(digits).substr(0, 2);
        if (prefix == "0x" || prefix == "0X") base = 16;
        if (prefix == "0o" || prefix == "0O") base = 8;
        if (prefix == "0b" || prefix == "0B") base = 2;
        if (base != 10) digits.erase(0, 2);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return isNegative ? -value : value;
}

void appendUtf8(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    } else if (code < 0x10000) {
        out += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                static_cast<char>(0x80 | (code & 0x3F))};
    } else {
        out += {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
                static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
    }
}

// `count` hexadecimal digits at `at`; empty where they do not exist.
std::optional<std::uint32_t> hexNumber(std::string_view text, std::size_t at, std::size_t count) {
    if (count > text.size() || at > text.size() - count) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const int digit = ascii::hexValue(text[at + i]);
        if (digit < 0) return std::nullopt;
        value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    return value;
}

// Python's escapes of a string literal (codecs.escape_decode).
std::string unescaped(std::string_view text) {
    static constexpr std::string_view letters = "abfnrtv\\'\"";
    static constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\'\"";
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (const std::size_t known = letters.find(c); known != std::string_view::npos) {
            out += meanings[known];
        } else if (const auto code = c == 'x' ? hexNumber(text, i + 1, 2) : std::nullopt) {
            out += static_cast<char>(*code);
            i += 2;
        } else if (c >= '0' && c <= '7') {
            unsigned octal = 0;
            std::size_t digits = 0;
            for (; digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7'; ++digits)
                octal = octal * 8 + static_cast<unsigned>(text[i + digits] - '0');
            out += static_cast<char>(octal);
            i += digits - 1;
        } else {
            out += {'\\', c};
        }
    }
    return out;
}

// raw-unicode-escape: \uXXXX and \UXXXXXXXX, every other byte is a character of Latin-1.
std::string rawUnicode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'u' || text[i + 1] == 'U');
        const std::size_t digits = isEscape && text[i + 1] == 'U' ? 8 : 4;
        const auto code = isEscape ? hexNumber(text, i + 2, digits) : std::nullopt;
        if (code && *code <= 0x10FFFF) {
            appendUtf8(out, *code);
            i += 1 + digits;
        } else {
            appendUtf8(out, static_cast<unsigned char>(text[i]));
        }
    }
    return out;
}

} // namespace

bool Runner::number(int bytes, std::uint64_t& value) {
    const auto count = static_cast<std::uint64_t>(bytes);
    if (!m_tape.has(count)) {
        end(Stop::Truncated);
        return false;
    }
    value = 0;
    std::memcpy(&value, m_tape.at(), count);
    m_tape.advance(count);
    return true;
}

bool Runner::line(std::string_view& text, std::uint64_t& offset) {
    offset = m_tape.position();
    for (std::uint64_t searched = 0;;) {
        const std::span<const std::byte> loaded = m_tape.loaded();
        const void* found =
            loaded.size() > searched ? std::memchr(loaded.data() + searched, '\n', loaded.size() - searched) : nullptr;
        if (found != nullptr) {
            const auto length = static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - loaded.data());
            text = {reinterpret_cast<const char*>(loaded.data()), length};
            m_tape.advance(length + 1);
            return true;
        }
        searched = loaded.size();
        if (searched > longestLine || !m_tape.has(searched + 1)) {
            end(Stop::Truncated);
            return false;
        }
    }
}

// A negative width is that of a signed length, as old strings have it.
bool Runner::counted(int bytes, std::uint64_t& offset, std::uint64_t& length) {
    if (!number(bytes < 0 ? -bytes : bytes, length)) return false;
    offset = m_tape.position();
    if (bytes < 0 && static_cast<std::int32_t>(length) < 0) {
        end(Stop::BadArgument);
        return false;
    }
    if (m_tape.skip(length)) return true;
    end(Stop::Truncated);
    return false;
}

void Runner::pushCounted(int bytes, NodeKind kind) {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    if (counted(bytes, offset, length)) push(m_graph.make(kind, 0, offset, length));
}

// LONG1 and LONG4: two's complement.
void Runner::pushLongNumber(int bytes) {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    if (!counted(bytes == 4 ? -4 : bytes, offset, length)) return;
    if (length > 8) return push(m_graph.make(NodeKind::LongInt, 0, offset, length));
    const auto stored = m_tape.view(offset, length);
    const bool isNegative = !stored.empty() && (stored.back() & std::byte{0x80}) != std::byte{0};
    std::uint64_t value = isNegative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = stored.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(stored[i]);
    push(m_graph.make(NodeKind::Int, 0, value));
}

void Runner::pushIntLine() {
    std::string_view text;
    std::uint64_t offset = 0;
    if (!line(text, offset)) return;
    if (text == "00" || text == "01") return push(m_graph.makeBool(text == "01"));
    const auto value = parseInteger(text, 0);
    if (value) return push(m_graph.make(NodeKind::Int, 0, static_cast<std::uint64_t>(*value)));
    stopAt(Stop::BadArgument);
    push(unknownNode);
}

void Runner::pushLongLine() {
    std::string_view text;
    std::uint64_t offset = 0;
    if (!line(text, offset)) return;
    const std::string_view digits = text.ends_with('L') ? text.substr(0, text.size() - 1) : text;
    if (const auto value = parseInteger(digits, 0)) return push(m_graph.make(NodeKind::Int, 0, static_cast<std::uint64_t>(*value)));
    const bool isNumber = !digits.empty() && digits.find_first_not_of("+-0123456789") == std::string_view::npos;
    if (isNumber) return push(m_graph.make(NodeKind::LongInt, 0, offset, text.size()));
    stopAt(Stop::BadArgument);
    push(unknownNode);
}

void Runner::pushFloatLine() {
    std::string_view text;
    std::uint64_t offset = 0;
    if (!line(text, offset)) return;
    const auto value = parseDouble(text);
    if (value) return push(m_graph.makeReal(*value));
    const bool isNan = text == "nan" || text == "inf" || text == "-inf";
    if (!isNan) stopAt(Stop::BadArgument);
    push(unknownNode);
}

void Runner::pushStringLine() {
    std::string_view text;
    std::uint64_t offset = 0;
    if (!line(text, offset)) return;
    while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
    const bool isQuoted = text.size() >= 2 && text.front() == text.back() && (text.front() == '\'' || text.front() == '"');
    if (!isQuoted) stopAt(Stop::BadArgument);
    push(isQuoted ? m_graph.makeOwned(NodeKind::Bytes, unescaped(text.substr(1, text.size() - 2))) : unknownNode);
}

void Runner::pushUnicodeLine() {
    std::string_view text;
    std::uint64_t offset = 0;
    if (line(text, offset)) push(m_graph.makeOwned(NodeKind::Text, rawUnicode(text)));
}

bool Runner::memoLine(std::uint64_t& index) {
    std::string_view text;
    std::uint64_t offset = 0;
    if (!line(text, offset)) return false;
    const auto value = parseInteger(text, 10);
    if (value && *value >= 0) {
        index = static_cast<std::uint64_t>(*value);
        return true;
    }
    stopAt(Stop::BadArgument);
    if (m_opcode == GET) push(unknownNode);
    return false;
}

} // namespace wb::pickle

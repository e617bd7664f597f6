// SPDX-License-Identifier: MIT
#include "core/formats/npy/literal.h"

#include "core/base/text.h"

#include <charconv>

namespace wb::npy {
namespace {

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    std::optional<Value> whole() {
        auto parsed = value(0);
        skipBlanks();
        return m_at == m_text.size() ? std::move(parsed) : std::nullopt;
    }

private:
    static constexpr unsigned maxDepth = 16;

    void skipBlanks() {
        while (m_at < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos) ++m_at;
    }

    bool take(char c) {
        skipBlanks();
        if (m_at == m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }

    bool takeWord(std::string_view word) {
        if (!m_text.substr(m_at).starts_with(word)) return false;
        m_at += word.size();
        return true;
    }

    std::optional<Value> value(unsigned depth) {
        skipBlanks();
        if (depth > maxDepth || m_at == m_text.size()) return std::nullopt;
        const char c = m_text[m_at];
        if (c == '{') return dictionary(depth);
        if (c == '(') return list(depth, ')');
        if (c == '[') return list(depth, ']');
        if (c == '\'' || c == '"') return string();
        if (takeWord("True")) return Value::of(true);
        if (takeWord("False")) return Value::of(false);
        if (takeWord("None")) return Value::null();
        return integer();
    }

    std::optional<Value> dictionary(unsigned depth) {
        ++m_at;
        ValueObject object;
        while (!take('}')) {
            if (!object.members.empty() && !take(',')) return std::nullopt;
            if (take('}')) break;
            skipBlanks();
            auto key = string();
            if (!key || !take(':')) return std::nullopt;
            auto member = value(depth + 1);
            if (!member) return std::nullopt;
            object.members.push_back({*key->string(), std::move(*member)});
        }
        object.count = object.members.size();
        return Value::of(std::move(object));
    }

    std::optional<Value> list(unsigned depth, char end) {
        ++m_at;
        ValueArray array;
        while (!take(end)) {
            if (!array.first.empty() && !take(',')) return std::nullopt;
            if (take(end)) break;
            auto element = value(depth + 1);
            if (!element) return std::nullopt;
            array.first.push_back(std::move(*element));
        }
        array.count = array.first.size();
        return Value::of(std::move(array));
    }

    std::optional<Value> string() {
        if (m_at == m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"')) return std::nullopt;
        const char quote = m_text[m_at++];
        std::string out;
        while (m_at < m_text.size() && m_text[m_at] != quote) {
            if (m_text[m_at] != '\\') out += m_text[m_at++];
            else if (!escape(out)) return std::nullopt;
        }
        if (m_at == m_text.size()) return std::nullopt;
        ++m_at;
        return Value::of(toUtf8(out));
    }

    bool escape(std::string& out) {
        if (m_at + 1 >= m_text.size()) return false;
        const char c = m_text[m_at + 1];
        m_at += 2;
        switch (c) {
        case '\\':
        case '\'':
        case '"': out += c; return true;
        case 'n': out += '\n'; return true;
        case 't': out += '\t'; return true;
        case 'x': return codePoint(2, out);
        case 'u': return codePoint(4, out);
        default: return false;
        }
    }

    bool codePoint(std::size_t digits, std::string& out) {
        unsigned code = 0;
        const std::string_view text = m_text.substr(m_at, digits);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
        if (text.size() != digits || error != std::errc() || end != text.data() + digits) return false;
        m_at += digits;
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xC0 | code >> 6);
            out += static_cast<char>(0x80 | (code & 0x3F));
        } else {
            out += static_cast<char>(0xE0 | code >> 12);
            out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
            out += static_cast<char>(0x80 | (code & 0x3F));
        }
        return true;
    }

    std::optional<Value> integer() {
        const bool isNegative = m_text[m_at] == '-';
        if (isNegative || m_text[m_at] == '+') ++m_at;
        std::uint64_t digits = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), digits);
        if (error != std::errc()) return std::nullopt;
        m_at += static_cast<std::size_t>(end - begin);
        if (m_at < m_text.size() && m_text[m_at] == 'L') ++m_at; // Python 2
        if (!isNegative) return Value::ofUnsigned(ValueType::U64, digits);
        if (digits > 1ull << 63) return std::nullopt;
        return Value::ofSigned(ValueType::I64, static_cast<std::int64_t>(0 - digits));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::optional<Value> parseLiteral(std::string_view text) { return Parser(text).whole(); }

} // namespace wb::npy

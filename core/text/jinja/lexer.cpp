// SPDX-License-Identifier: MIT
#include "core/text/jinja/lexer.h"

#include "core/base/ascii.h"
#include "core/text/jinja/failure.h"
#include "core/text/utf8.h"

#include <algorithm>

namespace wb::text::jinja {
namespace {

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }

// \r\n and \r become \n; one newline at the end is dropped.
std::string normalized(std::string_view source) {
    std::string out;
    out.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') out += source[i];
        else if (i + 1 == source.size() || source[i + 1] != '\n') out += '\n';
    }
    if (out.ends_with('\n')) out.pop_back();
    return out;
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : m_source(normalized(source)) {}

    std::vector<Token> run() {
        while (m_at < m_source.size()) readData();
        add(TokenKind::End, {});
        return std::move(m_tokens);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }
    bool startsWith(std::string_view text) const { return std::string_view(m_source).substr(m_at).starts_with(text); }

    void add(TokenKind kind, std::string text) { m_tokens.push_back({kind, std::move(text), m_line}); }

    void advance(std::size_t count) {
        m_line += static_cast<std::size_t>(
            std::count(m_source.begin() + static_cast<std::ptrdiff_t>(m_at),
                       m_source.begin() + static_cast<std::ptrdiff_t>(std::min(m_at + count, m_source.size())), '\n'));
        m_at = std::min(m_at + count, m_source.size());
    }

    // Where the next {{, {% or {# starts.
    std::size_t nextOpening() const {
        for (std::size_t at = m_at; (at = m_source.find('{', at)) != std::string::npos; ++at)
            if (at + 1 < m_source.size() && (m_source[at + 1] == '{' || m_source[at + 1] == '%' || m_source[at + 1] == '#'))
                return at;
        return m_source.size();
    }

    void readData() {
        const std::size_t opening = nextOpening();
        std::size_t end = opening;
        const char kind = opening + 1 < m_source.size() ? m_source[opening + 1] : '\0';
        const char sign = opening + 2 < m_source.size() ? m_source[opening + 2] : '\0';
        if (kind != '\0' && sign == '-') {
            while (end > m_at && isBlank(m_source[end - 1])) --end;
        } else if (kind != '\0' && kind != '{' && sign != '+') {
            end = withoutIndent(end);
        }
        if (end > m_at) add(TokenKind::Data, m_source.substr(m_at, end - m_at));
        advance(opening - m_at);
        if (kind == '\0') return;
        advance(2);
        if (peek() == '-' || (peek() == '+' && kind != '{')) advance(1);
        if (kind == '#') skipComment();
        else if (kind == '{') readInside(TokenKind::OutputBegin, TokenKind::OutputEnd, "}}");
        else if (isRaw()) readRaw();
        else readInside(TokenKind::TagBegin, TokenKind::TagEnd, "%}");
    }

    // Blanks between the beginning of a line and a tag go.
    std::size_t withoutIndent(std::size_t opening) const {
        std::size_t begin = opening;
        while (begin > m_at && isBlank(m_source[begin - 1]) && m_source[begin - 1] != '\n') --begin;
        const bool startsLine = begin > m_at ? m_source[begin - 1] == '\n' : m_lineStarts;
        return startsLine ? begin : opening;
    }

    // Behind the end of a tag, an output or a comment: what the sign and trim_blocks make go.
    void finishTag(bool strips, bool trims) {
        const std::size_t before = m_at;
        if (strips)
            while (isBlank(peek()) && m_at < m_source.size()) advance(1);
        else if (trims && peek() == '\n') advance(1);
        m_lineStarts = m_at > before && m_source[m_at - 1] == '\n';
    }

    void skipComment() {
        const std::size_t end = m_source.find("#}", m_at);
        if (end == std::string::npos) failTemplate("a comment is not closed", m_line);
        const char sign = end > m_at ? m_source[end - 1] : '\0';
        advance(end + 2 - m_at);
        finishTag(sign == '-', sign != '+');
    }

    bool isRaw() {
        std::size_t at = m_at;
        while (at < m_source.size() && isBlank(m_source[at])) ++at;
        return std::string_view(m_source).substr(at).starts_with("raw") &&
               !isNamePart(at + 3 < m_source.size() ? m_source[at + 3] : '\0');
    }

    void readRaw() {
        const std::size_t close = m_source.find("%}", m_at);
        if (close == std::string::npos) failTemplate("a tag is not closed", m_line);
        const char sign = m_source[close - 1];
        advance(close + 2 - m_at);
        finishTag(sign == '-', sign != '+');
        const std::size_t begin = m_at;
        for (std::size_t at = begin; (at = m_source.find("{%", at)) != std::string::npos; at += 2) {
            std::size_t word = at + 2;
            const bool strips = word < m_source.size() && m_source[word] == '-';
            if (strips || (word < m_source.size() && m_source[word] == '+')) ++word;
            while (word < m_source.size() && isBlank(m_source[word])) ++word;
            if (!std::string_view(m_source).substr(word).starts_with("endraw")) continue;
            std::size_t end = strips ? at : withoutIndent(at);
            while (strips && end > begin && isBlank(m_source[end - 1])) --end;
            if (end > begin) add(TokenKind::Data, m_source.substr(begin, end - begin));
            const std::size_t ending = m_source.find("%}", word);
            if (ending == std::string::npos) break;
            const char endSign = m_source[ending - 1];
            advance(ending + 2 - m_at);
            return finishTag(endSign == '-', endSign != '+');
        }
        failTemplate("a raw block is not closed", m_line);
    }

    void readInside(TokenKind begin, TokenKind end, std::string_view closing) {
        add(begin, {});
        std::string brackets;
        while (true) {
            while (m_at < m_source.size() && isBlank(peek())) advance(1);
            if (m_at >= m_source.size()) failTemplate("a tag is not closed", m_line);
            if (brackets.empty()) {
                const bool strips = peek() == '-' && std::string_view(m_source).substr(m_at + 1).starts_with(closing);
                const bool keeps =
                    peek() == '+' && closing == "%}" && std::string_view(m_source).substr(m_at + 1).starts_with(closing);
                if (strips || keeps || startsWith(closing)) {
                    add(end, {});
                    advance(closing.size() + (strips || keeps ? 1 : 0));
                    return finishTag(strips, !keeps && closing == "%}");
                }
            }
            readToken(brackets);
        }
    }

    void readToken(std::string& brackets) {
        const char c = peek();
        if (c == '"' || c == '\'') return readString(c);
        if (isDigit(c)) return readNumber();
        if (isNameStart(c)) {
            std::size_t length = 1;
            while (isNamePart(peek(length))) ++length;
            add(TokenKind::Name, m_source.substr(m_at, length));
            return advance(length);
        }
        for (const std::string_view two : {"==", "!=", "<=", ">=", "//", "**"})
            if (startsWith(two)) {
                add(TokenKind::Operator, std::string(two));
                return advance(2);
            }
        if (std::string_view("+-*/%~<>=()[]{}.,:|").find(c) == std::string_view::npos)
            failTemplate("the character '" + m_source.substr(m_at, characterBytes(c)) + "' has no meaning here", m_line);
        if (c == '(' || c == '[' || c == '{') brackets += c;
        if (c == ')' || c == ']' || c == '}') {
            const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (brackets.empty() || brackets.back() != opening) failTemplate(std::string("unexpected '") + c + "'", m_line);
            brackets.pop_back();
        }
        add(TokenKind::Operator, std::string(1, c));
        advance(1);
    }

    void readNumber() {
        std::string digits;
        const auto take = [&](auto isPart) {
            while (isPart(peek()) || (peek() == '_' && isPart(peek(1)))) {
                if (peek() != '_') digits += peek();
                advance(1);
            }
        };
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            digits = "0x";
            advance(2);
            take([](char c) { return ascii::hexValue(c) >= 0; });
            return add(TokenKind::Integer, std::move(digits));
        }
        take(isDigit);
        bool isFloat = false;
        if (peek() == '.' && isDigit(peek(1))) {
            isFloat = true;
            digits += '.';
            advance(1);
            take(isDigit);
        }
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if ((peek() == 'e' || peek() == 'E') && isDigit(peek(1 + sign))) {
            isFloat = true;
            digits += 'e';
            if (sign) digits += peek(1);
            advance(1 + sign);
            take(isDigit);
        }
        add(isFloat ? TokenKind::Float : TokenKind::Integer, std::move(digits));
    }

    void readString(char quote) {
        const std::size_t line = m_line;
        advance(1);
        std::string out;
        while (peek() != quote) {
            if (m_at >= m_source.size()) failTemplate("a string is not closed", line);
            if (peek() == '\\') {
                readEscape(out);
                continue;
            }
            out += peek();
            advance(1);
        }
        advance(1);
        add(TokenKind::String, std::move(out));
    }

    void readEscape(std::string& out) {
        const char escaped = peek(1);
        const std::size_t digits = escaped == 'x' ? 2 : escaped == 'u' ? 4 : escaped == 'U' ? 8 : 0;
        static constexpr std::string_view from = "ntrbfav0\\'\"";
        static constexpr std::string_view to("\n\t\r\b\f\a\v\0\\'\"", 11);
        if (digits > 0) return readCodePoint(out, digits);
        if (const std::size_t known = from.find(escaped); known != std::string_view::npos) out += to[known];
        else if (escaped != '\n') (out += '\\') += escaped;
        advance(2);
    }

    void readCodePoint(std::string& out, std::size_t digits) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const int digit = ascii::hexValue(peek(2 + i));
            if (digit < 0) failTemplate("an escape in a string is incomplete", m_line);
            value = value << 4 | static_cast<std::uint32_t>(digit);
        }
        if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) value = 0xFFFD;
        appendUtf8(out, static_cast<char32_t>(value));
        advance(2 + digits);
    }

    std::string m_source;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
    bool m_lineStarts = true; // the next text is at the start of a line
    std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

std::optional<std::vector<Token>> lexTokens(std::string_view source) {
    try {
        return tokenize(source);
    } catch (const Failure&) {
        return std::nullopt;
    }
}

} // namespace wb::text::jinja

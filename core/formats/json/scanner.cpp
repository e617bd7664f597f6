// SPDX-License-Identifier: MIT
#include "core/formats/json/scanner.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>

namespace wb::json {

Scanner::Scanner(std::string_view text, unsigned maximumDepth)
    : m_text(text), m_maximumDepth(std::min(maximumDepth, greatestDepth)) {}

Token Scanner::next() {
    if (m_state == State::Failed) return m_token;
    skipBlanks();
    m_position = m_at;
    if (m_state == State::Done) {
        if (m_at == m_text.size()) return m_token = Token::End;
        return bad(m_at, WB_TEXT("there is text after the closing bracket"));
    }
    if (m_at == m_text.size()) return bad(m_at, WB_TEXT("the text ends early"));
    const char closer = inObject() ? '}' : ']';
    const bool mayClose = m_state == State::AfterValue || m_state == State::FirstValue || m_state == State::FirstKey;
    if (mayClose && m_text[m_at] == closer) return close();
    if (m_state == State::AfterValue) {
        if (m_text[m_at] != ',') return bad(m_at, WB_TEXT("a comma or closing bracket is missing"));
        ++m_at;
        skipBlanks();
        m_position = m_at;
    }
    return inObject() && m_state != State::Value ? key() : value();
}

Token Scanner::bad(std::size_t position, const char* reason) {
    m_state = State::Failed;
    m_position = position;
    m_reason = reason;
    return m_token = Token::Bad;
}

Token Scanner::open(bool object) {
    if (m_depth == m_maximumDepth) return bad(m_at, WB_TEXT("the nesting is too deep"));
    m_objects[m_depth] = object;
    ++m_depth;
    ++m_at;
    m_state = object ? State::FirstKey : State::FirstValue;
    return m_token = object ? Token::BeginObject : Token::BeginArray;
}

Token Scanner::close() {
    const Token token = inObject() ? Token::EndObject : Token::EndArray;
    --m_depth;
    ++m_at;
    return afterScalar(token);
}

Token Scanner::afterScalar(Token token) {
    m_state = m_depth == 0 ? State::Done : State::AfterValue;
    return m_token = token;
}

Token Scanner::key() {
    if (!at('"')) return bad(m_at, WB_TEXT("a key in quotes is missing"));
    if (!string()) return m_token;
    skipBlanks();
    if (!at(':')) return bad(m_at, WB_TEXT("a colon is missing after a key"));
    ++m_at;
    m_state = State::Value;
    return m_token = Token::Key;
}

Token Scanner::value() {
    if (m_at == m_text.size()) return bad(m_at, WB_TEXT("the text ends early"));
    switch (m_text[m_at]) {
    case '{': return open(true);
    case '[': return open(false);
    case '"': return string() ? afterScalar(Token::String) : m_token;
    case 't': return literal("true", Token::True);
    case 'f': return literal("false", Token::False);
    case 'n': return literal("null", Token::Null);
    default: return number();
    }
}

Token Scanner::literal(std::string_view word, Token token) {
    if (!m_text.substr(m_at).starts_with(word)) return bad(m_at, WB_TEXT("a value is missing"));
    m_at += word.size();
    return afterScalar(token);
}

void Scanner::skipDigits() {
    while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9') ++m_at;
}

Token Scanner::number() {
    const std::size_t begin = m_at;
    const auto digits = [&] {
        const std::size_t first = m_at;
        skipDigits();
        return m_at > first;
    };
    if (at('-')) ++m_at;
    const bool leadingZero = at('0');
    const std::size_t first = m_at;
    if (!digits()) return bad(begin, WB_TEXT("a value is missing"));
    if (leadingZero && m_at - first > 1) return bad(begin, WB_TEXT("a number starts with 0"));
    if (at('.')) {
        ++m_at;
        if (!digits()) return bad(begin, WB_TEXT("a number ends with a decimal point"));
    }
    if (at('e') || at('E')) {
        ++m_at;
        if (at('+') || at('-')) ++m_at;
        if (!digits()) return bad(begin, WB_TEXT("a number has an incomplete exponent"));
    }
    m_value = m_text.substr(begin, m_at - begin);
    return afterScalar(Token::Number);
}

void Scanner::skipBlanks() {
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
        ++m_at;
    }
}

std::optional<std::uint64_t> unsignedInteger(std::string_view digits) {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || rest != end) return std::nullopt;
    return value;
}

} // namespace wb::json

// SPDX-License-Identifier: MIT
#include "core/formats/xml/xml.h"

#include <algorithm>
#include <charconv>

namespace wb::xml {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool isWordByte(char c) {
    return !isBlank(c) && c != '>' && c != '<' && c != '/' && c != '=' && c != '"' && c != '\'' && c != '\0';
}

std::string_view withoutPrefix(std::string_view name) {
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void appendCharacter(std::uint32_t code, std::string& out) {
    const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
    }
}

// The character of "#10" or "#x1F"; 0 where it is none.
std::uint32_t referencedCharacter(std::string_view reference) {
    const bool isHex = reference.starts_with("#x");
    const std::string_view digits = reference.substr(isHex ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, isHex ? 16 : 10);
    const bool isWhole = error == std::errc() && end == digits.data() + digits.size();
    return isWhole && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? code : 0;
}

} // namespace

Scanner::Scanner(std::string_view text) : m_source(text) {
    if (m_source.starts_with("\xEF\xBB\xBF")) m_at = 3;
}

Token Scanner::finish(Token token) {
    m_token = token;
    return token;
}

std::string_view Scanner::attribute(std::string_view name) const {
    const auto found = std::ranges::find(m_attributes, name, &Attribute::name);
    return found == m_attributes.end() ? std::string_view() : std::string_view(found->value);
}

void Scanner::skipBlanks() {
    while (m_at < m_source.size() && isBlank(m_source[m_at])) ++m_at;
}

bool Scanner::skipPast(std::string_view end) {
    const std::size_t found = m_source.find(end, m_at);
    if (found == std::string_view::npos) return false;
    m_at = found + end.size();
    return true;
}

std::string_view Scanner::word() {
    const std::size_t begin = m_at;
    while (m_at < m_source.size() && isWordByte(m_source[m_at])) ++m_at;
    return m_source.substr(begin, m_at - begin);
}

bool Scanner::skipMarkup() {
    if (startsWith("<!--")) return m_at += 4, skipPast("-->");
    if (startsWith("<?")) return m_at += 2, skipPast("?>");
    // A document type may name one, but declare nothing: declarations are how entities grow and files are read.
    const std::size_t begin = m_at;
    return startsWith("<!DOCTYPE") && skipPast(">") && m_source.substr(begin, m_at - begin).find('[') == std::string_view::npos;
}

bool Scanner::replaceReferences(std::string_view raw, std::string& out) const {
    struct Named {
        std::string_view name;
        char character;
    };
    static constexpr Named named[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    while (!raw.empty()) {
        const std::size_t at = raw.find('&');
        out += raw.substr(0, at);
        if (at == std::string_view::npos) return true;
        const std::size_t end = raw.find(';', at);
        if (end == std::string_view::npos || end - at > 12) return false;
        const std::string_view reference = raw.substr(at + 1, end - at - 1);
        const auto* const found = std::ranges::find(named, reference, &Named::name);
        if (found != std::end(named)) {
            out += found->character;
        } else {
            const std::uint32_t code = reference.starts_with('#') ? referencedCharacter(reference) : 0;
            if (code == 0) return false;
            appendCharacter(code, out);
        }
        raw.remove_prefix(end + 1);
    }
    return true;
}

bool Scanner::readAttributes() {
    m_attributes.clear();
    while (true) {
        skipBlanks();
        if (m_at >= m_source.size()) return false;
        if (m_source[m_at] == '>' || m_source[m_at] == '/') return true;
        Attribute attribute;
        attribute.name = word();
        skipBlanks();
        if (attribute.name.empty() || m_attributes.size() == maxAttributes || !startsWith("=")) return false;
        ++m_at;
        skipBlanks();
        if (m_at >= m_source.size() || (m_source[m_at] != '"' && m_source[m_at] != '\'')) return false;
        const std::size_t end = m_source.find(m_source[m_at], m_at + 1);
        if (end == std::string_view::npos) return false;
        if (!replaceReferences(m_source.substr(m_at + 1, end - m_at - 1), attribute.value)) return false;
        m_at = end + 1;
        m_attributes.push_back(std::move(attribute));
    }
}

Token Scanner::tag() {
    ++m_at; // the angle bracket
    const std::string_view full = word();
    if (full.empty() || m_open.size() == greatestDepth || (m_open.empty() && m_hadRoot) || !readAttributes()) return bad();
    m_isClosing = startsWith("/");
    if (m_isClosing) ++m_at;
    if (!startsWith(">")) return bad();
    ++m_at;
    m_name = withoutPrefix(full);
    m_open.push_back(full);
    m_hadRoot = true;
    return finish(Token::Begin);
}

Token Scanner::endTag() {
    m_at += 2;
    const std::string_view full = word();
    skipBlanks();
    if (m_open.empty() || full != m_open.back() || !startsWith(">")) return bad();
    ++m_at;
    m_name = withoutPrefix(full);
    m_open.pop_back();
    return finish(Token::End);
}

Token Scanner::characters() {
    m_text.clear();
    while (m_at < m_source.size()) {
        if (startsWith("<![CDATA[")) {
            const std::size_t begin = m_at + 9;
            if (!skipPast("]]>")) return bad();
            m_text += m_source.substr(begin, m_at - 3 - begin);
        } else if (startsWith("<!--")) {
            if (!skipMarkup()) return bad();
        } else if (m_source[m_at] == '<') {
            break;
        } else {
            const std::size_t end = std::min(m_source.find('<', m_at), m_source.size());
            if (!replaceReferences(m_source.substr(m_at, end - m_at), m_text)) return bad();
            m_at = end;
        }
    }
    return finish(Token::Text);
}

Token Scanner::next() {
    if (m_token == Token::Finish || m_token == Token::Bad) return m_token;
    if (m_isClosing) {
        m_isClosing = false;
        m_name = withoutPrefix(m_open.back());
        m_open.pop_back();
        return finish(Token::End);
    }
    while (true) {
        m_position = m_at;
        if (m_open.empty()) skipBlanks();
        if (m_at >= m_source.size()) return finish(m_open.empty() && m_hadRoot ? Token::Finish : Token::Bad);
        if (startsWith("</")) return endTag();
        if (startsWith("<?") || startsWith("<!--") || startsWith("<!DOCTYPE")) {
            if (!skipMarkup()) return bad();
            continue;
        }
        if (startsWith("<![CDATA[") || m_source[m_at] != '<') {
            if (m_open.empty()) return bad();
            if (characters() == Token::Text && m_text.empty()) continue;
            return m_token;
        }
        return tag();
    }
}

std::string_view rootName(std::string_view head) {
    Scanner scanner(head);
    // A document longer than `head` may be cut inside its root element, whose name is then still there.
    const Token token = scanner.next();
    if (token == Token::Begin) return scanner.name();
    const std::string_view rest = head.substr(std::min(scanner.position(), head.size()));
    const std::size_t begin = rest.find('<');
    if (begin == std::string_view::npos || rest.size() < begin + 2) return {};
    const char first = rest[begin + 1];
    if (first == '?' || first == '!' || first == '/') return {};
    std::size_t end = begin + 1;
    while (end < rest.size() && isWordByte(rest[end])) ++end;
    return end < rest.size() ? withoutPrefix(rest.substr(begin + 1, end - begin - 1)) : std::string_view();
}

} // namespace wb::xml

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb::xml {

enum class Token : std::uint8_t { Begin, End, Text, Finish, Bad };

struct Attribute {
    std::string_view name;
    std::string value; // with its references replaced
};

// Walks an XML document element by element, for the model formats written in it (W3C: Extensible Markup Language 1.0). Nothing is
// expanded but the five references that XML itself defines and those to characters, no document type is read and no other
// resource opened: a document with a DOCTYPE that declares anything is Bad. An element without content gives Begin and End. The
// text must outlive the scanner. Comments and processing instructions are passed over.
class Scanner {
public:
    static constexpr std::size_t greatestDepth = 256;
    static constexpr std::size_t maxAttributes = 256; // of one element

    explicit Scanner(std::string_view text);

    // The next token. Finish and Bad repeat for ever.
    Token next();

    Token token() const { return m_token; }
    // Begin, End: the name of the element without its namespace prefix.
    std::string_view name() const { return m_name; }
    // Text: the characters between two tags, with their references replaced; never empty.
    const std::string& text() const { return m_text; }
    // Begin: its attributes.
    const std::vector<Attribute>& attributes() const { return m_attributes; }
    // Begin: the value of this attribute; empty where it is absent.
    std::string_view attribute(std::string_view name) const;
    // Elements that are open: after Begin it counts the new one, after End no longer the ended one.
    std::size_t depth() const { return m_open.size(); }
    // The first byte of the token; for Bad the byte at fault.
    std::size_t position() const { return m_position; }

private:
    Token finish(Token token);
    Token bad() { return finish(Token::Bad); }
    Token tag();
    Token endTag();
    Token characters();
    bool skipMarkup(); // a comment, a processing instruction or a plain document type; false: damaged
    bool readAttributes();
    bool replaceReferences(std::string_view raw, std::string& out) const;
    std::string_view word();
    void skipBlanks();
    bool skipPast(std::string_view end);
    bool startsWith(std::string_view text) const { return m_source.substr(m_at).starts_with(text); }

    std::string_view m_source;
    std::size_t m_at = 0;
    std::size_t m_position = 0;
    Token m_token = Token::Text; // before the first call
    std::string_view m_name;
    std::string m_text;
    std::vector<Attribute> m_attributes;
    std::vector<std::string_view> m_open; // names with their prefixes
    bool m_isClosing = false;             // the element that just began has no content
    bool m_hadRoot = false;
};

// Whether a document starts like this: the name of its root element, past the declaration, comments and a plain document type;
// empty where `head` shows none. `head` may end anywhere.
std::string_view rootName(std::string_view head);

} // namespace wb::xml

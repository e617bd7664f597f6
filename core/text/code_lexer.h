// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Colors for the code in a response: comments, strings, numbers and keywords of the usual languages. A lexer, no parser: where
// context decides (a regular expression of JavaScript, an f-string's insides) the text stays plain or is a string.
namespace wb::text {

enum class CodeKind : std::uint8_t { Comment, String, Number, Keyword };

// Bytes of one line with the same kind; the bytes between spans are plain.
struct CodeSpan {
    std::size_t begin = 0, end = 0;
    CodeKind kind = CodeKind::Keyword;

    friend bool operator==(const CodeSpan&, const CodeSpan&) = default;
};

struct CodeLanguage;

// By the word after ``` in Markdown, in either case: "python", "js", "c++". Null: not known.
const CodeLanguage* findCodeLanguage(std::string_view word);

// Reads the lines of one block of code, in order, since comments and strings go over lines.
class CodeLexer {
public:
    explicit CodeLexer(const CodeLanguage* language) : m_language(language) {} // null: everything is plain

    // Ascending, apart; of UTF-8 no character is cut. A line without its end.
    std::vector<CodeSpan> line(std::string_view line);

private:
    const CodeLanguage* m_language;
    std::string_view m_open; // the end of the comment or string that the previous line left open; empty: none
    CodeKind m_openKind = CodeKind::Comment;
};

} // namespace wb::text

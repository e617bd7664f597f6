// SPDX-License-Identifier: MIT
#include "core/text/code_lexer.h"

#include <algorithm>
#include <string>

namespace wb::text {

struct CodeLanguage {
    std::string_view names;          // small letters, between blanks
    std::string_view lineComments;   // what begins one, between blanks
    std::string_view comment;        // what begins one that ends with `commentEnd`; empty: none
    std::string_view commentEnd;     //
    std::string_view quotes;         // each begins and ends a string of one line
    std::string_view longQuotes;     // each begins and ends a string of several lines, between blanks
    std::string_view keywords;       // between blanks
    bool ignoresCase = false;        // of keywords
    bool hashNeedsBlank = false;     // '#' begins a comment after a blank alone
    bool quoteMayBeLifetime = false; // 'a may be a lifetime
};

namespace {

constexpr std::string_view cKeywords =
    " auto break case char const continue default do double else enum extern float for goto if inline int long register restrict "
    "return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false NULL nullptr "
    "#include #define #if #ifdef #ifndef #endif #else #elif #pragma #undef ";
constexpr std::string_view cppKeywords =
    " alignas alignof and auto bool break case catch char class concept const consteval constexpr constinit const_cast continue "
    "co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false final float "
    "for friend goto if inline int long mutable namespace new noexcept not nullptr operator or override private protected public "
    "reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename union unsigned using virtual void volatile while #include #define #if "
    "#ifdef #ifndef #endif #else #elif #pragma #undef ";
constexpr std::string_view javaKeywords =
    " abstract assert boolean break byte case catch char class const continue default do double else enum extends false final "
    "finally float for if implements import instanceof int interface long native new null package private protected public record "
    "return sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile while "
    "yield ";
constexpr std::string_view scriptKeywords =
    " abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum "
    "export "
    "extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace "
    "never new null number of private protected public readonly return set static string super switch symbol this throw true try "
    "type typeof undefined unknown var void while with yield ";
constexpr std::string_view pythonKeywords =
    " False None True and as assert async await break case class continue def del elif else except finally for from global if "
    "import in is lambda match nonlocal not or pass raise return self try while with yield ";
constexpr std::string_view goKeywords =
    " any bool break byte case chan complex64 complex128 const continue default defer else error fallthrough false float32 float64 "
    "for func go goto if import int int8 int16 int32 int64 interface iota map nil package range return rune select string struct "
    "switch true type uint uint8 uint16 uint32 uint64 uintptr var ";
constexpr std::string_view rustKeywords =
    " as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i8 i16 i32 i64 i128 if impl in "
    "isize let loop match mod move mut pub ref return self Self static str struct super trait true type u8 u16 u32 u64 u128 "
    "unsafe use usize where while ";
constexpr std::string_view shellKeywords =
    " alias break case cd continue do done echo elif else esac eval exec exit export false fi for function if in local read "
    "readonly return select set shift source then trap true unset until while ";
constexpr std::string_view sqlKeywords =
    " add all alter and any as asc begin between bigint boolean by case cast check column commit constraint create cross date "
    "default delete desc distinct drop else end except exists false foreign from full group having if in index inner insert int "
    "integer intersect into is join key left like limit not null numeric offset on or order outer over partition primary real "
    "references returning right rollback select set table text then timestamp transaction true union unique update using values "
    "varchar view when where with ";

constexpr CodeLanguage languages[] = {
    {" python py python3 ", " # ", "", "", "\"'", " \"\"\" ''' ", pythonKeywords},
    {" c h ", " // ", "/*", "*/", "\"'", "", cKeywords},
    {" cpp c++ cxx cc hpp cuda ", " // ", "/*", "*/", "\"'", "", cppKeywords},
    {" java kotlin kt csharp cs c# ", " // ", "/*", "*/", "\"'", " \"\"\" ", javaKeywords},
    {" javascript js jsx node typescript ts tsx ", " // ", "/*", "*/", "\"'", " ` ", scriptKeywords},
    {" go golang ", " // ", "/*", "*/", "\"'", " ` ", goKeywords},
    {" rust rs ", " // ", "/*", "*/", "\"'", "", rustKeywords, false, false, true},
    {" bash sh shell zsh console ", " # ", "", "", "\"'", "", shellKeywords, false, true},
    {" sql sqlite mysql postgresql ", " -- ", "/*", "*/", "'\"", "", sqlKeywords, true},
    {" json json5 jsonc ", " // ", "/*", "*/", "\"", "", " true false null "},
    {" yaml yml toml ini ", " # ", "", "", "\"'", "", " true false null yes no ", false, true},
};

bool isCodeDigit(char c) { return c >= '0' && c <= '9'; }
// Bytes of characters beyond ASCII are letters, so that none is cut.
bool isCodeLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string lowered(std::string_view word) {
    std::string small(word);
    for (char& c : small)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    return small;
}

bool holds(std::string_view list, std::string_view word) {
    if (word.empty() || word.find(' ') != std::string_view::npos) return false;
    const std::string wanted = ' ' + std::string(word) + ' ';
    return list.find(wanted) != std::string_view::npos;
}

// The word of the list at the start of `text`; empty: none.
std::string_view beginning(std::string_view list, std::string_view text) {
    for (std::size_t at = list.find_first_not_of(' '); at != std::string_view::npos;) {
        const std::size_t end = list.find(' ', at);
        const std::string_view word = list.substr(at, end - at);
        if (text.starts_with(word)) return word;
        at = list.find_first_not_of(' ', end);
    }
    return {};
}

// Behind the quote that ends the string, where one does; npos otherwise.
std::size_t stringEnd(std::string_view line, std::size_t from, std::string_view quote) {
    for (std::size_t at = from; at < line.size(); ++at) {
        if (line[at] == '\\') ++at;
        else if (line.substr(at).starts_with(quote)) return at + quote.size();
    }
    return std::string_view::npos;
}

std::size_t wordEnd(std::string_view line, std::size_t from) {
    const auto isWord = [](char c) { return isCodeLetter(c) || isCodeDigit(c); };
    return static_cast<std::size_t>(std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(from), line.end(), isWord) -
                                    line.begin());
}

// 0x1F, 1_000, 2.5e-3, 10u.
std::size_t numberEnd(std::string_view line, std::size_t from) {
    std::size_t at = from;
    while (at < line.size()) {
        const bool isExponent = at > from && (line[at - 1] == 'e' || line[at - 1] == 'E') && (line[at] == '-' || line[at] == '+');
        const bool isPoint = line[at] == '.' && at + 1 < line.size() && isCodeDigit(line[at + 1]);
        if (!isCodeDigit(line[at]) && !isCodeLetter(line[at]) && !isPoint && !isExponent) break;
        ++at;
    }
    return at;
}

// The end and the kind of a span.
struct Found {
    std::size_t end;
    CodeKind kind;
    std::string_view open = {}; // its end on a later line; empty: it has ended
};

Found toEnd(std::string_view line, std::size_t from, std::string_view end, CodeKind kind) {
    const std::size_t found = kind == CodeKind::Comment ? line.find(end, from) : stringEnd(line, from, end);
    if (found == std::string_view::npos) return {line.size(), kind, end};
    return {kind == CodeKind::Comment ? found + end.size() : found, kind};
}

bool beginsComment(const CodeLanguage& language, std::string_view line, std::size_t at) {
    if (beginning(language.lineComments, line.substr(at)).empty()) return false;
    return !language.hashNeedsBlank || at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
}

// Whether the quote stands before a lifetime of Rust.
bool isLifetime(const CodeLanguage& language, std::string_view line, std::size_t at) {
    return language.quoteMayBeLifetime && line[at] == '\'' && at + 2 < line.size() && isCodeLetter(line[at + 1]) &&
           line[at + 2] != '\'';
}

// Empty: nothing begins there, and a byte is plain.
std::vector<Found> spanAt(const CodeLanguage& language, std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(at);
    if (beginsComment(language, line, at)) return {{line.size(), CodeKind::Comment}};
    if (!language.comment.empty() && rest.starts_with(language.comment))
        return {toEnd(line, at + language.comment.size(), language.commentEnd, CodeKind::Comment)};
    if (const std::string_view quote = beginning(language.longQuotes, rest); !quote.empty())
        return {toEnd(line, at + quote.size(), quote, CodeKind::String)};
    if (language.quotes.find(line[at]) != std::string_view::npos && !isLifetime(language, line, at)) {
        const std::size_t end = stringEnd(line, at + 1, line.substr(at, 1));
        return {{std::min(end, line.size()), CodeKind::String}};
    }
    if (isCodeDigit(line[at])) return {{numberEnd(line, at), CodeKind::Number}};
    return {};
}

} // namespace

const CodeLanguage* findCodeLanguage(std::string_view word) {
    const std::string small = lowered(word);
    const auto found = std::ranges::find_if(languages, [&](const CodeLanguage& language) { return holds(language.names, small); });
    return found == std::end(languages) ? nullptr : &*found;
}

std::vector<CodeSpan> CodeLexer::line(std::string_view line) {
    std::vector<CodeSpan> spans;
    if (!m_language) return spans;
    std::size_t at = 0;
    const auto take = [&](const Found& found) {
        if (found.end > at) spans.push_back({at, found.end, found.kind});
        m_open = found.open;
        m_openKind = found.kind;
        at = std::max(found.end, at);
    };
    if (!m_open.empty()) take(toEnd(line, 0, m_open, m_openKind));
    while (at < line.size()) {
        const std::vector<Found> found = spanAt(*m_language, line, at);
        if (!found.empty()) {
            take(found.front());
            continue;
        }
        const bool isDirective = line[at] == '#' && at + 1 < line.size() && isCodeLetter(line[at + 1]);
        if (!isCodeLetter(line[at]) && !isDirective) {
            ++at;
            continue;
        }
        const std::size_t end = wordEnd(line, at + 1);
        const std::string_view word = line.substr(at, end - at);
        if (holds(m_language->keywords, m_language->ignoresCase ? lowered(word) : std::string(word)))
            spans.push_back({at, end, CodeKind::Keyword});
        at = end;
    }
    return spans;
}

} // namespace wb::text

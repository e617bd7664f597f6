// SPDX-License-Identifier: MIT
#include "core/scan/template_lint.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/text/jinja/lexer.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace wb::scan {
namespace {

using namespace std::string_view_literals;
using text::jinja::Token;
using text::jinja::TokenKind;

constexpr std::uint64_t longestRange = 100'000; // what the renderer of this program allows
constexpr std::size_t longestSecret = 80;       // characters of base64 without a blank
constexpr std::size_t fewestWords = 12;         // of a text that talks to the model

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80; }
bool isBase64Letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/'; }

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& all) {
    return std::ranges::find(all, text) != all.end();
}

std::string_view withoutUnderscores(std::string_view text) {
    while (text.starts_with('_')) text.remove_prefix(1);
    while (text.ends_with('_')) text.remove_suffix(1);
    return text;
}

// A text in the code that names the content inside Python, or is a piece to build such a name of. The names of tokens
// ("<__media__>") start with something else.
bool namesInside(std::string_view text) {
    static constexpr std::array inner = {"mro"sv, "subclasses"sv, "globals"sv, "builtins"sv, "import"sv, "getattribute"sv};
    if (text.starts_with("__") || (!text.empty() && withoutUnderscores(text).empty())) return true;
    if (isOneOf(withoutUnderscores(text), inner)) return true;
    return std::ranges::any_of(std::array{".__"sv, "[__"sv, "._"sv, "%c"sv, "\\137"sv, "\\N{"sv},
                               [&](std::string_view piece) { return text.find(piece) != std::string_view::npos; });
}

// A format whose field goes to an attribute: "{0.name}", "{a[name]}".
bool formatsAttributes(std::string_view text) {
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find_first_of("}:", at);
        if (text.substr(at, end == std::string_view::npos ? end : end - at).find_first_of(".[") != std::string_view::npos)
            return true;
    }
    return false;
}

class TemplateLint {
public:
    explicit TemplateLint(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

    std::vector<TemplateRemark> run() {
        findDeclared();
        for (m_at = 0; m_at < m_tokens.size(); ++m_at) {
            const Token& token = m_tokens[m_at];
            if (token.kind == TokenKind::TagBegin) readTag();
            else if (token.kind == TokenKind::Name) readName(token);
            else if (token.kind == TokenKind::Operator) readOperator(token);
            else if (token.kind == TokenKind::String || token.kind == TokenKind::Data) readText(token);
        }
        if (m_talk.kind != TokenKind::End)
            add(Severity::Note, "template.instruction", m_talk.line,
                WB_TEXT("{0}: its chat template adds its own instructions to the model on line {1} ({2} characters): {3}"),
                {std::to_string(m_talk.text.size()), formats::shown(m_talk.text)});
        return std::move(m_found);
    }

private:
    const Token& at(std::size_t index) const {
        static const Token none;
        return index < m_tokens.size() ? m_tokens[index] : none; // far below 0, too
    }
    bool isName(std::size_t index, std::string_view text) const {
        return at(index).kind == TokenKind::Name && at(index).text == text;
    }
    bool isOperator(std::size_t index, std::string_view text) const {
        return at(index).kind == TokenKind::Operator && at(index).text == text;
    }

    void add(Severity severity, Reason rule, std::size_t line, const char* sentence, std::vector<std::string> more = {}) {
        if (std::ranges::any_of(m_found, [&](const TemplateRemark& remark) { return remark.rule == rule; })) return;
        more.insert(more.begin(), std::to_string(line));
        m_found.push_back({severity, rule, sentence, std::move(more)});
    }
    void addEscape(std::size_t line) {
        add(Severity::Warning, templateEscape, line,
            WB_TEXT("{}: its chat template accesses Python internals on line {}; an unsandboxed renderer would run code."));
    }
    void addExhausting(std::size_t line) {
        add(Severity::Warning, "template.exhaustion", line,
            WB_TEXT("{}: its chat template builds unbounded text or an unbounded loop on line {}."));
    }

    // The names of the template's own values.
    void findDeclared() {
        for (std::size_t i = 0; i < m_tokens.size(); ++i)
            if (at(i).kind == TokenKind::Name && (isName(i - 1, "set") || isName(i - 1, "for") || isOperator(i + 1, "=")))
                m_declared.push_back(at(i).text);
    }

    void readTag() {
        static constexpr std::array others = {"include"sv, "import"sv, "extends"sv, "from"sv};
        const Token& word = at(m_at + 1);
        if (word.kind == TokenKind::Name && isOneOf(word.text, others))
            add(Severity::Warning, "template.include", word.line,
                WB_TEXT("{}: its chat template loads another template on line {}, which models do not include."));
        // set x = x + x: each round of a loop doubles it.
        const bool isDoubled = isName(m_at + 1, "set") && isOperator(m_at + 3, "=") && isName(m_at + 4, at(m_at + 2).text) &&
                               (isOperator(m_at + 5, "+") || isOperator(m_at + 5, "~")) && isName(m_at + 6, at(m_at + 2).text);
        if (isDoubled) addExhausting(word.line);
    }

    void readName(const Token& name) {
        static constexpr std::array helpers = {"cycler"sv, "joiner"sv, "lipsum"sv, "namespace"sv, "range"sv, "dict"sv};
        static constexpr std::array hosts = {"self"sv, "config"sv, "request"sv};
        const bool isMember = isOperator(m_at - 1, ".");
        const bool isFilter = isOperator(m_at - 1, "|") || isName(m_at - 1, "filter"); // {% filter attr(…) %}
        const bool goesOn = isOperator(m_at + 1, ".") || isOperator(m_at + 1, "[") || isOperator(m_at + 1, "|");
        const bool isOwn = std::ranges::find(m_declared, name.text) != m_declared.end();
        if ((isMember && name.text.starts_with('_')) || name.text.starts_with("__") || (isFilter && name.text == "attr"))
            addEscape(name.line);
        if (!isMember && !isFilter && !isOwn && goesOn && (isOneOf(name.text, helpers) || isOneOf(name.text, hosts)))
            addEscape(name.line);
        if (isMember && name.text.starts_with("format") && at(m_at - 2).kind == TokenKind::String &&
            formatsAttributes(at(m_at - 2).text))
            addEscape(name.line);
        if (name.text == "map" && isOperator(m_at + 1, "(") && at(m_at + 2).text == "attr") addEscape(name.line);
        if (name.text == "range" && isOperator(m_at + 1, "(")) readRange();
        if (isFilter && name.text == "random")
            add(Severity::Warning, "template.chance", name.line,
                WB_TEXT("{}: the output of its chat template on line {} is random."));
        if (!isMember && (name.text == "strftime_now" || name.text == "now") && isOperator(m_at + 1, "("))
            add(Severity::Note, "template.time", name.line, WB_TEXT("{}: its chat template writes the time or date on line {}."));
        if (name.text == "in" && beginsContent(m_at + 1)) addCondition(isName(m_at - 1, "not") ? m_at - 2 : m_at - 1);
        if (isMember && (name.text == "startswith" || name.text == "endswith") && isContent(m_at - 2)) addCondition(m_at + 2);
    }

    void readRange() {
        std::size_t depth = 0;
        for (std::size_t i = m_at + 1; i < m_tokens.size(); ++i) {
            if (isOperator(i, "(")) ++depth;
            if (isOperator(i, ")") && --depth == 0) return;
            if (isHuge(at(i)) || isOperator(i, "**")) return addExhausting(at(i).line);
        }
    }
    static bool isHuge(const Token& token) {
        if (token.kind != TokenKind::Integer) return false;
        const bool isHex = token.text.starts_with("0x");
        std::uint64_t value = 0;
        const char* const end = token.text.data() + token.text.size();
        return std::from_chars(token.text.data() + (isHex ? 2 : 0), end, value, isHex ? 16 : 10).ec != std::errc() ||
               value > longestRange;
    }

    void readOperator(const Token& token) {
        if (token.text == "*" && (isHuge(at(m_at - 1)) || isHuge(at(m_at + 1)))) addExhausting(token.line);
        if (token.text == "==" && isContent(m_at - 1)) addCondition(m_at + 1);
    }

    // Whether the value that ends at `index` is what a message says, rather than its sender.
    bool isContent(std::size_t index) const {
        return at(index).text == "content" || (isOperator(index, "]") && at(index - 1).text == "content");
    }
    // The same of the value that starts there.
    bool beginsContent(std::size_t index) const {
        for (; at(index).kind == TokenKind::Name || at(index).kind == TokenKind::String || at(index).kind == TokenKind::Integer ||
               isOperator(index, ".") || isOperator(index, "[");
             ++index)
            if (at(index).text == "content") return true;
        return false;
    }
    void addCondition(std::size_t literal) {
        if (at(literal).kind != TokenKind::String || at(literal).text.empty()) return;
        add(Severity::Note, "template.condition", at(literal).line,
            WB_TEXT("{0}: on line {1} its chat template depends on message contents: {2}"), {formats::shown(at(literal).text)});
    }

    void readText(const Token& token) {
        if (token.kind == TokenKind::String && namesInside(token.text)) addEscape(token.line);
        if (countWords(token.text) >= fewestWords && token.text.size() > m_talk.text.size()) m_talk = token;
        if (hasHiddenText(token.text))
            add(Severity::Warning, "template.encoded", token.line,
                WB_TEXT("{}: its chat template contains encoded, unreadable text on line {}."));
        if (hasAddress(token.text))
            add(Severity::Note, "template.link", token.line,
                WB_TEXT("{}: its chat template writes a link or an address on line {}."));
    }
    static std::size_t countWords(std::string_view text) {
        std::size_t words = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i)
            if (isLetter(text[i]) && text[i + 1] == ' ') ++words;
        return words;
    }
    static bool hasHiddenText(std::string_view text) {
        for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
            bool hasLower = false, hasUpper = false, hasDigit = false;
            for (end = begin; end < text.size() && isBase64Letter(text[end]); ++end) {
                hasLower = hasLower || (text[end] >= 'a' && text[end] <= 'z');
                hasUpper = hasUpper || (text[end] >= 'A' && text[end] <= 'Z');
                hasDigit = hasDigit || (text[end] >= '0' && text[end] <= '9');
            }
            if (end - begin >= longestSecret && hasLower && hasUpper && hasDigit) return true;
        }
        return false;
    }
    static bool hasAddress(std::string_view text) {
        if (text.find("http://") != std::string_view::npos || text.find("https://") != std::string_view::npos) return true;
        for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
            const std::string_view host = text.substr(at + 1, text.substr(at + 1).find_first_of(" \n\"'<>,;:)"));
            const std::size_t dot = host.find('.');
            if (at > 0 && isLetter(text[at - 1]) && dot != std::string_view::npos && dot > 0 && dot + 2 < host.size() &&
                std::ranges::all_of(host, [](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; }))
                return true;
        }
        return false;
    }

    std::vector<Token> m_tokens;
    std::vector<std::string> m_declared;
    std::vector<TemplateRemark> m_found;
    Token m_talk; // the longest text of words; End: none
    std::size_t m_at = 0;
};

// Characters that a person does not see: of no width, turning the direction of writing, of private use, tags. Those that join or
// part the letters of a script do not count.
bool isInvisible(char32_t c) {
    return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) ||
           c == 0xFEFF || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xE0000;
}

std::optional<std::size_t> findInvisible(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (isInvisible(text::nextCodePoint(text, at)) && begin > 0) return begin; // a mark of the byte order may come first
    }
    return std::nullopt;
}

std::size_t lineFromText(std::string_view text, std::size_t position) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

std::optional<std::size_t> invisibleLine(std::string_view source, const std::vector<Token>& tokens) {
    if (const auto at = findInvisible(source)) return lineFromText(source, *at);
    for (const Token& token : tokens) // written by escapes
        if (token.kind == TokenKind::String && findInvisible(" " + token.text)) return token.line;
    return std::nullopt;
}

// Of a source that the renderer refuses; another one may take it.
std::vector<TemplateRemark> lintUnreadable(std::string_view source) {
    for (const std::string_view piece : {".__"sv, "'__"sv, "\"__"sv, "[__"sv, "\\x5f"sv, "\\x5F"sv, "\\u005f"sv, "\\u005F"sv,
                                         "\\137"sv, "|attr"sv, "| attr"sv, "'_'"sv, "\"_\""sv})
        if (const std::size_t at = source.find(piece); at != std::string_view::npos)
            return {{Severity::Warning,
                     templateEscape,
                     WB_TEXT("{}: its chat template accesses Python internals on line {}; an unsandboxed renderer would run code."),
                     {std::to_string(lineFromText(source, at))}}};
    return {};
}

} // namespace

std::vector<TemplateRemark> lintTemplate(std::string_view bytes) {
    constexpr std::size_t longest = 16 << 20;
    const std::string source = toUtf8(bytes.substr(0, longest));
    const auto tokens = text::jinja::lexTokens(source);
    auto found = tokens ? TemplateLint(*tokens).run() : lintUnreadable(source);
    if (const auto line = invisibleLine(source, tokens.value_or(std::vector<Token>())))
        found.push_back({Severity::Warning,
                         "template.invisible",
                         WB_TEXT("{}: its chat template contains invisible characters on line {}."),
                         {std::to_string(*line)}});
    return found;
}

} // namespace wb::scan

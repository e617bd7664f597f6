// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include "core/formats/gguf/gguf.h"

#include <algorithm>
#include <array>
#include <cctype>

// Chat templates are programs of the model's author that run on every message (specs/pickle_and_scanning.md 9.2).
namespace wb::scan {
namespace {

using namespace std::string_view_literals;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The statements and expressions of a template, without what is only text; each with its place.
struct Code {
    std::string_view text;
    std::size_t position = 0;
};

std::vector<Code> codeOf(std::string_view source) {
    std::vector<Code> all;
    for (std::size_t at = source.find('{'); at != std::string_view::npos; at = source.find('{', at + 1)) {
        const char kind = at + 1 < source.size() ? source[at + 1] : ' ';
        if (kind != '{' && kind != '%') continue;
        const std::size_t end = source.find(kind == '{' ? "}}"sv : "%}"sv, at + 2);
        const std::size_t stop = end == std::string_view::npos ? source.size() : end;
        all.push_back({source.substr(at + 2, stop - at - 2), at + 2});
        at = stop == source.size() ? stop - 1 : stop;
    }
    return all;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() &&
           (std::isspace(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    return text;
}

// A name that begins with an underscore, as an attribute or in quotes: the way from any value of Python to its interpreter. The
// names of tokens ("<__media__>") begin with something else.
bool reachesInside(std::string_view code) {
    for (std::size_t at = code.find("__"); at != std::string_view::npos; at = code.find("__", at + 2)) {
        const char before = at == 0 ? ' ' : code[at - 1];
        if (before == '.' || before == '\'' || before == '"' || before == '[' || before == '|' || before == ' ' || before == '(')
            return true;
    }
    // Its pieces: '_' + '_', escapes of the underscore, an attribute by a computed name.
    for (const std::string_view piece : {"'_'"sv, "\"_\""sv, "\\x5f"sv, "\\x5F"sv, "\\u005f"sv, "\\u005F"sv, "\\137"sv, "._"sv})
        if (code.find(piece) != std::string_view::npos) return true;
    for (std::size_t at = code.find("attr"); at != std::string_view::npos; at = code.find("attr", at + 4)) {
        std::size_t before = at;
        while (before > 0 && std::isspace(static_cast<unsigned char>(code[before - 1])) != 0) --before;
        const bool isWhole = at + 4 >= code.size() || !isWord(code[at + 4]);
        if (isWhole && before > 0 && code[before - 1] == '|') return true;
    }
    return false;
}

bool loadsOther(std::string_view code) {
    const std::string_view text = trimmed(code);
    for (const std::string_view word : {"include"sv, "import"sv, "extends"sv, "from"sv})
        if (text.starts_with(word) && (text.size() == word.size() || !isWord(text[word.size()]))) return true;
    return false;
}

// Characters that a person does not see: of no width, turning the direction of writing, of private use, tags.
std::size_t findInvisible(std::string_view text) {
    for (std::size_t at = 0; at + 2 < text.size(); ++at) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[at + i])); };
        if (byte(0) != 0xE2 && byte(0) != 0xF3) continue;
        const bool isTag = byte(0) == 0xF3 && byte(1) == 0xA0 && (byte(2) == 0x80 || byte(2) == 0x81);
        const bool isDirection = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
                                                     (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
        if (isTag || isDirection) return at;
    }
    return std::string_view::npos;
}

// "line 3" of a position.
std::string lineOf(std::string_view text, std::size_t position) {
    return std::to_string(1 + std::ranges::count(text.substr(0, position), '\n'));
}

} // namespace

void Examiner::chatTemplate(const Item& item, std::string_view source) {
    constexpr std::size_t longest = 16 << 20;
    source = source.substr(0, longest);
    bool isEscape = false, isOther = false;
    for (const Code& code : codeOf(source)) {
        if (!isEscape && reachesInside(code.text)) {
            isEscape = true;
            find(
                item, Severity::Warning, "template.escape", std::nullopt,
                WB_TEXT(
                    "{}: its chat template reaches for the inside of Python in line {}; a renderer without limits would run code."),
                {lineOf(source, code.position)});
        }
        if (!isOther && loadsOther(code.text)) {
            isOther = true;
            find(item, Severity::Warning, "template.include", std::nullopt,
                 WB_TEXT("{}: its chat template loads another template in line {}, which no model brings along."),
                 {lineOf(source, code.position)});
        }
    }
    if (const std::size_t at = findInvisible(source); at != std::string_view::npos)
        find(item, Severity::Warning, "template.invisible", std::nullopt,
             WB_TEXT("{}: its chat template has characters in line {} that nobody sees."), {lineOf(source, at)});
    if (source.find("http://") != std::string_view::npos || source.find("https://") != std::string_view::npos)
        find(item, Severity::Note, "template.link", std::nullopt, WB_TEXT("{}: its chat template writes a link."));
}

// The templates of a GGUF file: tokenizer.chat_template and those with a name of their own.
void Examiner::gguf(const Item& item) {
    data(item, "gguf");
    formats::OpenOptions options;
    options.limits = m_options.limits;
    options.progress = m_options.progress;
    const auto model = gguf::open(item.source, options);
    if (!model) return; // damage is its reader's to tell
    for (const Member& member : (*model)->metadata.members)
        if (member.key.starts_with("tokenizer.chat_template"))
            if (const std::string* text = member.value.string()) chatTemplate(item, *text);
}

} // namespace wb::scan

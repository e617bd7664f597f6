// SPDX-License-Identifier: MIT
#include "core/text/formula.h"

#include "core/text/formula_tables.h"

#include <algorithm>

#include <iterator>
#include <optional>
#include <span>

namespace wb::text {
namespace {

using namespace formula;

std::optional<std::string_view> lookUp(std::span<const Word> table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &Word::name);
    return found == table.end() ? std::nullopt : std::optional(found->text);
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Bytes of the character that starts with this one.
std::size_t characterBytes(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Each character by the table; empty where one is not in it.
std::string raised(std::string_view text, std::span<const Word> table) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view character = text.substr(i, characterBytes(text[i]));
        const auto small = lookUp(table, character);
        if (!small) return {};
        out += *small;
        i += character.size();
    }
    return out;
}

// "a+b" needs brackets in a fraction; "2a", "f(x)" and "√x" do not.
bool isCompound(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth == 0 && (isBlank(text[i]) || text[i] == '+' || text[i] == '-' || text[i] == '/' || text[i] == '=')) return true;
    }
    return false;
}

std::string bracketed(const std::string& text) { return isCompound(text) ? "(" + text + ")" : text; }

class Reader {
public:
    explicit Reader(std::string_view tex) : m_tex(tex) {}

    std::string all() { return withSingleBlanks(trimmed(sequence('\0', 0))); }

private:
    static constexpr unsigned maxDepth = 32;

    static std::string trimmed(std::string text) {
        while (!text.empty() && isBlank(text.back())) text.pop_back();
        const auto first = std::ranges::find_if(text, [](char c) { return !isBlank(c); });
        text.erase(text.begin(), first);
        return text;
    }

    // Blanks of the source and those of commands meet.
    static std::string withSingleBlanks(const std::string& text) {
        std::string out;
        for (const char c : text) {
            const bool isExtra = c == ' ' && out.ends_with(' ');
            if (c == ';' && out.ends_with(' ')) out.pop_back();
            if (!isExtra) out += c;
        }
        return out;
    }

    bool atEnd() const { return m_at >= m_tex.size(); }
    void skipBlanks() {
        while (!atEnd() && isBlank(m_tex[m_at])) ++m_at;
    }

    // Up to the closing character, which is taken, or the end.
    std::string sequence(char closing, unsigned depth) {
        std::string out;
        while (!atEnd()) {
            const char c = m_tex[m_at];
            if (closing != '\0' && c == closing) {
                ++m_at;
                break;
            }
            if (c == '^' || c == '_') {
                ++m_at;
                out += script(c, depth);
            } else if (isBlank(c)) {
                skipBlanks();
                if (!out.empty() && out.back() != ' ') out += ' ';
            } else {
                out += item(depth);
            }
        }
        return out;
    }

    std::string script(char mark, unsigned depth) {
        const std::string text = trimmed(argument(depth));
        const std::string small = raised(text, mark == '^' ? std::span<const Word>(superscripts) : subscripts);
        if (!small.empty() || text.empty()) return small;
        const bool isOne = text.size() == characterBytes(text.front());
        return mark + (isOne ? text : "(" + text + ")");
    }

    // A group, a command or one character.
    std::string argument(unsigned depth) {
        skipBlanks();
        return atEnd() ? std::string() : item(depth);
    }

    std::string item(unsigned depth) {
        const char c = m_tex[m_at];
        if (depth >= maxDepth) { // a formula that no one wrote
            const std::string rest(m_tex.substr(m_at));
            m_at = m_tex.size();
            return rest;
        }
        if (c == '{') {
            ++m_at;
            return sequence('}', depth + 1);
        }
        if (c == '\\') return command(depth + 1);
        if (c == '~' || c == '&') {
            ++m_at;
            return " ";
        }
        const std::size_t bytes = std::min(characterBytes(c), m_tex.size() - m_at);
        m_at += bytes;
        return std::string(m_tex.substr(m_at - bytes, bytes));
    }

    std::string command(unsigned depth) {
        ++m_at;
        if (atEnd()) return "\\";
        std::size_t end = m_at;
        while (end < m_tex.size() && isLetter(m_tex[end])) ++end;
        if (end == m_at) return sign();
        const std::string_view name = m_tex.substr(m_at, end - m_at);
        m_at = end;
        if (name == "frac" || name == "dfrac" || name == "tfrac") {
            const std::string above = trimmed(argument(depth)), below = trimmed(argument(depth));
            return bracketed(above) + "/" + bracketed(below);
        }
        if (name == "binom") {
            const std::string above = trimmed(argument(depth)), below = trimmed(argument(depth));
            return "C(" + above + ", " + below + ")";
        }
        if (name == "sqrt") return root(depth);
        if (name == "pmod") return "(mod " + trimmed(argument(depth)) + ")";
        if (name == "mathbb") {
            const std::string letter = trimmed(argument(depth));
            const auto known = lookUp(doubleStruck, letter);
            return known ? std::string(*known) : letter;
        }
        if (name == "begin" || name == "end") {
            argument(depth); // the name of the surrounding
            return " ";
        }
        if (std::ranges::find(plainCommands, name) != std::end(plainCommands)) return argument(depth);
        if (const auto accent = lookUp(accents, name)) return trimmed(argument(depth)) + std::string(*accent);
        const auto known = lookUp(symbols, name);
        if (!known) return "\\" + std::string(name);
        if (known->empty() && (name == "left" || name == "right") && !atEnd() && m_tex[m_at] == '.') ++m_at; // no bracket there
        return std::string(*known);
    }

    std::string root(unsigned depth) {
        skipBlanks();
        std::string order;
        if (!atEnd() && m_tex[m_at] == '[') {
            ++m_at;
            order = raised(trimmed(sequence(']', depth)), superscripts);
        }
        const std::string under = trimmed(argument(depth));
        const bool isOne = !under.empty() && under.size() == characterBytes(under.front());
        const bool isNumber = std::ranges::all_of(under, [](char c) { return c >= '0' && c <= '9'; });
        return order + "√" + (isOne || isNumber ? under : "(" + under + ")");
    }

    // A backslash and a sign: escaped characters, spaces, the end of a row.
    std::string sign() {
        const char c = m_tex[m_at++];
        if (c == '\\') return "; ";
        if (c == '!') return "";
        if (c == ',' || c == ';' || c == ':' || isBlank(c)) return " ";
        if (c == '|') return "‖";
        return {c};
    }

    std::string_view m_tex;
    std::size_t m_at = 0;
};

constexpr std::size_t longestFormula = 4096;

// The end of the formula after `from`, the position of `closing`. Nothing where an empty line or too much comes before it.
std::optional<std::size_t> formulaEnd(std::string_view text, std::size_t from, std::string_view closing) {
    const std::string_view window = text.substr(from, longestFormula);
    const std::size_t end = window.find(closing);
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    const std::string_view inside = window.substr(0, end);
    if (inside.find("\n\n") != std::string_view::npos || inside.find("\n\r\n") != std::string_view::npos) return std::nullopt;
    return from + end;
}

// The characters that mean something in Markdown, escaped.
std::string escapedMarkdown(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>#|~&$!").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

class Markdown {
public:
    explicit Markdown(std::string_view text) : m_text(text) {}

    std::string shown() {
        while (m_at < m_text.size()) {
            if (atLine() && skipFence()) continue;
            const char c = m_text[m_at];
            if (c == '`') skipCode();
            else if (!takeFormula()) copy(c == '\\' ? 2 : 1);
        }
        return std::move(m_out);
    }

private:
    bool atLine() const { return m_at == 0 || m_text[m_at - 1] == '\n'; }

    void copy(std::size_t bytes) {
        bytes = std::min(bytes, m_text.size() - m_at);
        m_out += m_text.substr(m_at, bytes);
        m_at += bytes;
    }

    // A block of code as a whole.
    bool skipFence() {
        const std::size_t first = m_text.find_first_not_of(' ', m_at);
        if (first == std::string_view::npos || first - m_at > 3) return false;
        const char mark = m_text[first];
        if (mark != '`' && mark != '~') return false;
        const std::size_t end = std::min(m_text.find_first_not_of(mark, first), m_text.size());
        if (end - first < 3) return false;
        const std::string closing = "\n" + std::string(end - first, mark);
        const std::size_t close = m_text.find(closing, end);
        copy((close == std::string_view::npos ? m_text.size() : close + closing.size()) - m_at);
        return true;
    }

    // Code in a line, or the marks alone where it does not end.
    void skipCode() {
        const std::size_t end = std::min(m_text.find_first_not_of('`', m_at), m_text.size());
        const std::string marks(m_text.substr(m_at, end - m_at));
        const std::size_t close = m_text.substr(end, longestFormula).find(marks);
        copy(close == std::string_view::npos ? marks.size() : end + close + marks.size() - m_at);
    }

    bool takeFormula() {
        const std::string_view rest = m_text.substr(m_at);
        if (rest.starts_with("\\(")) return take(2, "\\)");
        if (rest.starts_with("\\[")) return take(2, "\\]");
        if (rest.starts_with("$$")) return take(2, "$$");
        if (!rest.starts_with("$") || rest.size() < 3 || isBlank(rest[1])) return false;
        const auto end = formulaEnd(m_text, m_at + 1, "$");
        if (!end || isBlank(m_text[*end - 1]) || m_text.substr(m_at, *end - m_at).find('\n') != std::string_view::npos)
            return false;
        const char after = *end + 1 < m_text.size() ? m_text[*end + 1] : ' ';
        return after >= '0' && after <= '9' ? false : take(1, "$");
    }

    bool take(std::size_t opening, std::string_view closing) {
        const auto end = formulaEnd(m_text, m_at + opening, closing);
        if (!end) return false;
        m_out += escapedMarkdown(formulaText(m_text.substr(m_at + opening, *end - m_at - opening)));
        m_at = *end + closing.size();
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_out;
};

} // namespace

std::string formulaText(std::string_view tex) { return Reader(tex).all(); }

std::string showFormulas(std::string_view markdown) {
    if (markdown.find_first_of("$\\") == std::string_view::npos) return std::string(markdown);
    return Markdown(markdown).shown();
}

} // namespace wb::text

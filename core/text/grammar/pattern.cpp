// SPDX-License-Identifier: MIT
#include "core/text/grammar/pattern.h"

#include "core/base/ascii.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace wb::text {
namespace {

constexpr unsigned greatestPatternDepth = 40;
constexpr std::uint32_t greatestRepetition = 2000;
constexpr char32_t lastCharacter = 0x10FFFF;

struct CodeRange {
    char32_t low, high; // both belong to it
};
using Set = std::vector<CodeRange>;

const Set digitSet = {{'0', '9'}};
const Set wordCharacters = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const Set blankSet = {{9, 13},          {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                      {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const Set lineEnds = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
// Characters that a JSON string must escape, and halves of pairs, which are no characters.
const Set escapedSet = {{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x7F}, {0xD800, 0xDFFF}};

Set sorted(Set set) {
    std::ranges::sort(set, {}, &CodeRange::low);
    Set joined;
    for (const CodeRange& range : set) {
        if (!joined.empty() && range.low <= joined.back().high + 1) joined.back().high = std::max(joined.back().high, range.high);
        else joined.push_back(range);
    }
    return joined;
}

Set inverted(const Set& set) {
    Set out;
    char32_t next = 0;
    for (const CodeRange& range : sorted(set)) {
        if (range.low > next) out.push_back({next, range.low - 1});
        next = range.high + 1;
    }
    if (next <= lastCharacter) out.push_back({next, lastCharacter});
    return out;
}

bool setHolds(const Set& set, char32_t c) {
    return std::ranges::any_of(set, [c](const CodeRange& range) { return range.low <= c && c <= range.high; });
}

Set without(const Set& set, const Set& others) {
    Set both = inverted(set);
    both.insert(both.end(), others.begin(), others.end());
    return inverted(both);
}

// Characters of a set as JSON spells them; empty where it spells none of them by a short form.
std::string setExpression(const Set& set) {
    std::string all, direct;
    for (const CodeRange& range : without(set, escapedSet)) {
        direct += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(range.low));
        if (range.high > range.low) direct += fmt::format("-\\U{:08X}", static_cast<std::uint32_t>(range.high));
    }
    if (!direct.empty()) all = "[" + direct + "]";
    constexpr std::pair<char32_t, char> shortForms[] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                                        {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    std::string letters;
    for (const auto& [character, letter] : shortForms)
        if (setHolds(set, character))
            letters += letter == '\\' || letter == '"' ? std::string("\\") + letter : std::string(1, letter);
    if (!letters.empty()) all += (all.empty() ? "" : " | ") + std::string("\"\\\\\" [") + letters + "]";
    return all;
}

class PatternReader {
public:
    explicit PatternReader(std::string_view pattern) : m_pattern(pattern) {}

    std::expected<std::string, std::string> read() {
        const Part all = alternatives(0);
        if (!m_refusal && m_at < m_pattern.size()) refuse("a pattern with a bracket that nothing opened");
        if (m_refusal) return std::unexpected(*m_refusal);
        return all.text;
    }

private:
    struct Part {
        std::string text;
        bool mayBeEmpty = false;
    };

    bool is(std::string_view text) const { return m_pattern.substr(m_at).starts_with(text); }
    bool take(std::string_view text) {
        if (!is(text)) return false;
        m_at += text.size();
        return true;
    }
    bool isAtEnd() const { return m_refusal || m_at >= m_pattern.size(); }

    Part refuse(const char* what) {
        if (!m_refusal) m_refusal = what;
        return {};
    }

    Part alternatives(unsigned depth) {
        if (depth > greatestPatternDepth) return refuse("a pattern that is nested too deeply");
        Part all = sequence(depth);
        while (!isAtEnd() && take("|")) {
            const Part other = sequence(depth);
            all = {all.text + " | " + other.text, all.mayBeEmpty || other.mayBeEmpty};
        }
        return all;
    }

    // Unanchored parts of the whole expression match anywhere in the string.
    Part sequence(unsigned depth) {
        Part all{depth > 0 || take("^") ? "" : "char* ", true};
        bool isOpen = depth == 0;
        while (!isAtEnd() && !is("|") && !is(")")) {
            if (depth == 0 && take("$")) {
                if (!isAtEnd() && !is("|")) return refuse("a pattern with $ before its end");
                isOpen = false;
                break;
            }
            const Part next = quantified(atom(depth));
            all.text += next.text + " ";
            all.mayBeEmpty &= next.mayBeEmpty;
        }
        if (isOpen) all.text += "char*";
        if (all.text.empty()) all.text = "\"\"";
        return all;
    }

    Part atom(unsigned depth) {
        if (take("(")) return group(depth);
        if (take("[")) return spelled(classSet());
        if (take(".")) return spelled(inverted(lineEnds));
        if (is("^") || is("$")) return refuse("a pattern with an anchor in its middle");
        if (is("*") || is("+") || is("?") || is("{")) return refuse("a pattern that repeats nothing");
        if (take("\\")) return spelled(escape(false));
        const char32_t c = nextCodePoint(m_pattern, m_at);
        return spelled({{c, c}});
    }

    Part spelled(const Set& set) {
        const std::string expression = setExpression(set);
        if (expression.empty()) return refuse("a pattern with a character that JSON cannot spell shortly");
        return {"(" + expression + ")"};
    }

    Part group(unsigned depth) {
        if (take("?")) {
            if (take("<") && !is("=") && !is("!")) m_at = std::min(m_pattern.find('>', m_at), m_pattern.size() - 1) + 1;
            else if (!take(":")) return refuse("a pattern with look-around");
        }
        const Part inner = alternatives(depth + 1);
        if (!m_refusal && !take(")")) return refuse("a pattern with a bracket that nothing closes");
        return {"(" + inner.text + ")", inner.mayBeEmpty};
    }

    struct Counts {
        std::uint32_t low = 0;
        std::optional<std::uint32_t> high;
    };

    Part quantified(const Part& atom) {
        if (isAtEnd()) return atom;
        Counts counts{0, {}};
        if (take("+")) counts.low = 1;
        else if (take("?")) counts.high = 1;
        else if (take("{")) counts = braces();
        else if (!take("*")) return atom;
        take("?"); // lazy: the same strings
        if (!isAtEnd() && (is("*") || is("+") || is("?") || is("{"))) return refuse("a pattern that repeats a repetition");
        if (atom.mayBeEmpty && !counts.high) return refuse("a pattern with an unbounded repetition of an empty match");
        const std::string times =
            "{" + std::to_string(counts.low) + "," + (counts.high ? std::to_string(*counts.high) : std::string()) + "}";
        return {"(" + atom.text + times + ")", atom.mayBeEmpty || counts.low == 0};
    }

    Counts braces() {
        const auto low = number();
        Counts counts{low.value_or(0), low};
        if (take(",")) counts.high = number();
        if (!low || !take("}")) refuse("a pattern with a brace that is no repetition");
        if (counts.high && *counts.high < counts.low) refuse("a pattern with a repetition from more to less");
        return counts;
    }

    std::optional<std::uint32_t> number() {
        std::optional<std::uint32_t> value;
        while (m_at < m_pattern.size() && m_pattern[m_at] >= '0' && m_pattern[m_at] <= '9') {
            value = value.value_or(0) * 10 + static_cast<std::uint32_t>(m_pattern[m_at++] - '0');
            if (*value > greatestRepetition) refuse("a pattern that repeats more than 2000 times");
            if (m_refusal) return std::nullopt;
        }
        return value;
    }

    Set classSet() {
        const bool isNegated = take("^");
        Set set;
        while (!isAtEnd() && !is("]")) {
            const Set low = classMember();
            const bool isOne = low.size() == 1 && low.front().low == low.front().high;
            if (!isOne || !is("-") || is("-]")) {
                set.insert(set.end(), low.begin(), low.end());
                continue;
            }
            take("-");
            const Set high = classMember();
            const bool isRange = high.size() == 1 && high.front().low == high.front().high && high.front().low >= low.front().low;
            if (!isRange) refuse("a pattern with a range of characters that is none");
            else set.push_back({low.front().low, high.front().high});
        }
        if (!take("]")) refuse("a pattern with a bracket that nothing closes");
        return isNegated ? inverted(set) : set;
    }

    Set classMember() {
        if (isAtEnd()) return {};
        if (take("\\")) return escape(true);
        const char32_t c = nextCodePoint(m_pattern, m_at);
        return {{c, c}};
    }

    // Behind a backslash.
    Set escape(bool inClass) {
        if (isAtEnd()) return refuse("a pattern with a backslash at the end"), Set();
        const char32_t c = nextCodePoint(m_pattern, m_at);
        switch (c) {
        case 'd': return digitSet;
        case 'D': return inverted(digitSet);
        case 'w': return wordCharacters;
        case 'W': return inverted(wordCharacters);
        case 's': return blankSet;
        case 'S': return inverted(blankSet);
        case 'n': return {{'\n', '\n'}};
        case 'r': return {{'\r', '\r'}};
        case 't': return {{'\t', '\t'}};
        case 'f': return {{'\f', '\f'}};
        case 'v': return {{'\v', '\v'}};
        case 'x': return hexadecimal(2);
        case 'u': return take("{") ? hexadecimal(0) : hexadecimal(4);
        case 'b':
            if (inClass) return {{'\b', '\b'}};
            return refuse("a pattern with a word boundary"), Set();
        default: break;
        }
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (isLetter) refuse(c >= '1' && c <= '9' ? "a pattern with a reference to a group" : "a pattern with an unknown escape");
        return {{c, c}};
    }

    // So many digits; 0: up to a closing brace.
    Set hexadecimal(std::size_t count) {
        char32_t value = 0;
        std::size_t read = 0;
        for (; !isAtEnd() && (count == 0 ? !is("}") && read < 6 : read < count); ++read) {
            const int digit = ascii::hexValue(m_pattern[m_at++]);
            if (digit < 0) return refuse("a pattern with an unknown escape"), Set();
            value = value * 16 + static_cast<char32_t>(digit);
        }
        const bool isWhole = count == 0 ? read > 0 && take("}") : read == count;
        if (!isWhole || value > lastCharacter) return refuse("a pattern with an unknown escape"), Set();
        return {{value, value}};
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    std::optional<std::string> m_refusal;
};

} // namespace

std::expected<std::string, std::string> expressionOfPattern(std::string_view pattern) { return PatternReader(pattern).read(); }

} // namespace wb::text

// SPDX-License-Identifier: MIT
#include "core/text/grammar/grammar.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/text/grammar/check.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace wb::text {
namespace {

constexpr std::uint64_t unboundedTimes = std::numeric_limits<std::uint64_t>::max();
constexpr char32_t greatestCharacter = 0x10FFFF;

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

} // namespace

// Recursive descent over the text; its depth is that of the brackets, which is bounded.
class GrammarParser {
public:
    GrammarParser(std::string_view source, const std::string& name, const Tokenizer* tokenizer)
        : m_source(source), m_name(name), m_tokenizer(tokenizer) {}

    Result<Grammar> parse() {
        if (m_source.size() > maxGrammarBytes) return tooLarge();
        if (!isUtf8(m_source)) return refuse("grammar.utf8", WB_TEXT("{}, line {}: the text is not valid UTF-8."));
        WB_TRY(skipBlanks(true));
        while (m_at < m_source.size()) WB_TRY(parseRule());
        const auto root = m_names.find("root");
        if (root == m_names.end() || !m_isDefined[root->second])
            return fail(ErrorCode::Malformed, Reason("grammar.no_root"), About{m_name}, WB_TEXT("{} has no root rule."), m_name);
        for (const auto& [name, rule] : m_names)
            if (!m_isDefined[rule])
                return fail(ErrorCode::Malformed, Reason("grammar.unknown_rule"), About{m_name},
                            WB_TEXT("{} uses the undefined rule {}."), m_name, name);
        m_grammar.m_root = root->second;
        layOut();
        if (const auto rule = leftRecursiveRule(m_grammar))
            return fail(ErrorCode::Malformed, Reason("grammar.left_recursion"), About{m_name},
                        WB_TEXT("{} has the left-recursive rule {}."), m_name, nameFromRule(*rule));
        return std::move(m_grammar);
    }

private:
    using Sequence = std::vector<GrammarSymbol>;
    using Alternatives = std::vector<Sequence>;

    std::unexpected<Error> refuse(Reason reason, const char* sentence) const {
        const auto line = 1 + std::ranges::count(m_source.substr(0, std::min(m_at, m_source.size())), '\n');
        return fail(ErrorCode::Malformed, reason, About{m_name}, sentence, m_name, line);
    }

    std::unexpected<Error> tooLarge() const {
        return fail(ErrorCode::TooLarge, Reason("grammar.too_large"), About{m_name},
                    WB_TEXT("{} has more than {} elements after expanding its repetitions."), m_name, maxGrammarSymbols);
    }

    bool at(char c) const { return m_at < m_source.size() && m_source[m_at] == c; }
    bool atText(std::string_view text) const { return m_source.substr(m_at).starts_with(text); }

    Result<void> skipBlanks(bool linesToo) {
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (c == '#')
                while (m_at < m_source.size() && m_source[m_at] != '\n' && m_source[m_at] != '\r') ++m_at;
            else if (c == ' ' || c == '\t' || (linesToo && (c == '\n' || c == '\r'))) ++m_at;
            else break;
        }
        return {};
    }

    Result<std::string> word() {
        const std::size_t begin = m_at;
        while (m_at < m_source.size() && isWordCharacter(m_source[m_at])) ++m_at;
        if (m_at == begin) return refuse("grammar.name", WB_TEXT("{}, line {}: rule name expected."));
        return std::string(m_source.substr(begin, m_at - begin));
    }

    std::uint32_t ruleNumber(const std::string& name) {
        const auto [place, isNew] = m_names.try_emplace(name, static_cast<std::uint32_t>(m_rules.size()));
        if (isNew) addRule();
        return place->second;
    }

    std::uint32_t addRule(Alternatives alternatives = {}, bool isDefined = false) {
        m_rules.push_back(std::move(alternatives));
        m_isDefined.push_back(isDefined);
        return static_cast<std::uint32_t>(m_rules.size() - 1);
    }

    std::string nameFromRule(std::uint32_t rule) const {
        for (const auto& [name, number] : m_names)
            if (number == rule) return name;
        return "root"; // a group inside one; the reader looks for it from there
    }

    Result<void> parseRule() {
        WB_TRY_ASSIGN(const std::string name, word());
        WB_TRY(skipBlanks(false));
        if (!atText("::=")) return refuse("grammar.definition", WB_TEXT("{}, line {}: expected ::= after the rule name."));
        m_at += 3;
        WB_TRY(skipBlanks(true));
        const std::uint32_t rule = ruleNumber(name);
        WB_TRY_ASSIGN(m_rules[rule], alternatives(0));
        m_isDefined[rule] = true;
        if (m_at < m_source.size() && !at('\n') && !at('\r'))
            return refuse("grammar.rest", WB_TEXT("{}, line {}: unexpected text."));
        return skipBlanks(true);
    }

    Result<Alternatives> alternatives(unsigned depth) {
        if (depth > maxGrammarNesting) return refuse("grammar.depth", WB_TEXT("{}, line {}: parentheses are nested too deeply."));
        Alternatives all;
        while (true) {
            WB_TRY_ASSIGN(Sequence one, sequence(depth));
            all.push_back(std::move(one));
            WB_TRY(skipBlanks(depth > 0));
            if (!at('|')) return all;
            ++m_at;
            WB_TRY(skipBlanks(true));
        }
    }

    Result<Sequence> sequence(unsigned depth) {
        Sequence symbols;
        while (m_at < m_source.size()) {
            WB_TRY_ASSIGN(const std::optional<Sequence> item, parseItem(depth));
            if (!item) return symbols;
            WB_TRY(skipBlanks(depth > 0));
            WB_TRY_ASSIGN(Sequence repeated, repeat(*item));
            WB_TRY(skipBlanks(depth > 0));
            symbols.insert(symbols.end(), repeated.begin(), repeated.end());
            WB_TRY(count(repeated.size()));
        }
        return symbols;
    }

    // Nothing where no item starts.
    Result<std::optional<Sequence>> parseItem(unsigned depth) {
        const char c = m_source[m_at];
        if (c == '"') return wrap(literal());
        if (c == '[') return wrap(characterClass());
        if (c == '.') {
            ++m_at;
            return Sequence{classSymbol({{{0, greatestCharacter}}, false})};
        }
        if (c == '(') return wrap(group(depth));
        if (c == '<' || c == '!') return wrap(token());
        if (!isWordCharacter(c)) return std::nullopt;
        WB_TRY_ASSIGN(const std::string name, word());
        return Sequence{{SymbolKind::Rule, ruleNumber(name)}};
    }

    static Result<std::optional<Sequence>> wrap(Result<Sequence> item) {
        if (!item) return std::unexpected(item.error());
        return std::optional(std::move(*item));
    }

    Result<Sequence> group(unsigned depth) {
        ++m_at;
        WB_TRY(skipBlanks(true));
        WB_TRY_ASSIGN(Alternatives inner, alternatives(depth + 1));
        WB_TRY(skipBlanks(true));
        if (!at(')')) return refuse("grammar.bracket", WB_TEXT("{}, line {}: missing closing parenthesis."));
        ++m_at;
        WB_TRY(count(1));
        return Sequence{{SymbolKind::Rule, addRule(std::move(inner), true)}};
    }

    GrammarSymbol classSymbol(CharacterClass wanted) {
        std::ranges::sort(wanted.ranges);
        const auto [place, isNew] = m_classNumbers.try_emplace(std::pair(wanted.isNegated, wanted.ranges),
                                                               static_cast<std::uint32_t>(m_grammar.m_classes.size()));
        if (isNew) m_grammar.m_classes.push_back(std::move(wanted));
        return {SymbolKind::Class, place->second};
    }

    Result<Sequence> literal() {
        ++m_at;
        Sequence symbols;
        while (!at('"')) {
            if (m_at >= m_source.size()) return refuse("grammar.quote", WB_TEXT("{}, line {}: missing closing quote."));
            WB_TRY_ASSIGN(const char32_t c, character());
            symbols.push_back(classSymbol({{{c, c}}, false}));
            WB_TRY(count(1));
        }
        ++m_at;
        return symbols;
    }

    Result<Sequence> characterClass() {
        ++m_at;
        CharacterClass wanted;
        if (at('^')) {
            wanted.isNegated = true;
            ++m_at;
        }
        while (!at(']')) {
            if (m_at >= m_source.size()) return refuse("grammar.bracket", WB_TEXT("{}, line {}: missing closing parenthesis."));
            WB_TRY_ASSIGN(const char32_t low, character());
            char32_t high = low;
            if (at('-') && m_at + 1 < m_source.size() && m_source[m_at + 1] != ']') {
                ++m_at;
                WB_TRY_ASSIGN(high, character());
            }
            if (high < low) return refuse("grammar.range", WB_TEXT("{}, line {}: a character range ends before it starts."));
            wanted.ranges.push_back({low, high});
            WB_TRY(count(1));
        }
        ++m_at;
        return Sequence{classSymbol(std::move(wanted))};
    }

    // One code point, escaped or not.
    Result<char32_t> character() {
        if (m_at >= m_source.size()) return refuse("grammar.quote", WB_TEXT("{}, line {}: missing closing quote."));
        if (!at('\\')) return nextCodePoint(m_source, m_at);
        if (++m_at >= m_source.size()) return refuse("grammar.escape", WB_TEXT("{}, line {}: unknown escape sequence."));
        const char c = m_source[m_at++];
        switch (c) {
        case 'x': return hex(2);
        case 'u': return hex(4);
        case 'U': return hex(8);
        case 't': return U'\t';
        case 'r': return U'\r';
        case 'n': return U'\n';
        case '\\':
        case '"':
        case '[':
        case ']':
        case '-':
        case '^': return static_cast<char32_t>(c);
        default: return refuse("grammar.escape", WB_TEXT("{}, line {}: unknown escape sequence."));
        }
    }

    Result<char32_t> hex(int digits) {
        std::uint64_t value = 0;
        for (; digits > 0; --digits, ++m_at) {
            const int digit = m_at < m_source.size() ? ascii::hexValue(m_source[m_at]) : -1;
            if (digit < 0) return refuse("grammar.escape", WB_TEXT("{}, line {}: unknown escape sequence."));
            value = value * 16 + static_cast<std::uint64_t>(digit);
        }
        if (value > greatestCharacter) return refuse("grammar.escape", WB_TEXT("{}, line {}: unknown escape sequence."));
        return static_cast<char32_t>(value);
    }

    Result<Sequence> token() {
        const bool isNegated = at('!');
        if (isNegated) ++m_at;
        const std::size_t end = m_source.find('>', m_at);
        if (!at('<') || end == std::string_view::npos)
            return refuse("grammar.token", WB_TEXT("{}, line {}: write tokens as <[id]> or <text>."));
        const std::string_view inside = m_source.substr(m_at, end + 1 - m_at);
        WB_TRY_ASSIGN(const TokenId id, tokenFromWords(inside));
        m_at = end + 1;
        WB_TRY(count(1));
        return Sequence{{isNegated ? SymbolKind::NotToken : SymbolKind::Token, static_cast<std::uint32_t>(id)}};
    }

    Result<TokenId> tokenFromWords(std::string_view words) const {
        // Created on demand: it counts the lines before it.
        const auto unknown = [&] { return refuse("grammar.token", WB_TEXT("{}, line {}: no such token in the vocabulary.")); };
        if (!m_tokenizer) return unknown();
        if (!words.starts_with("<[") || !words.ends_with("]>")) {
            const TokenId id = m_tokenizer->vocabulary().find(words);
            if (id == noToken) return unknown();
            return id;
        }
        TokenId id = 0;
        const std::string_view digits = words.substr(2, words.size() - 4);
        if (digits.empty() || digits.size() > 8) return unknown();
        for (const char c : digits) {
            if (c < '0' || c > '9') return unknown();
            id = id * 10 + (c - '0');
        }
        if (!m_tokenizer->vocabulary().isValid(id)) return unknown();
        return id;
    }

    // The item, repeated as the following quantifier says.
    Result<Sequence> repeat(const Sequence& item) {
        if (m_at >= m_source.size()) return item;
        std::uint64_t low = 1, high = 1;
        if (at('*')) low = 0, high = unboundedTimes, ++m_at;
        else if (at('+')) high = unboundedTimes, ++m_at;
        else if (at('?')) low = 0, ++m_at;
        else if (at('{')) {
            WB_TRY(bounds(low, high));
        } else return item;
        WB_TRY(skipBlanks(false));
        if (at('*') || at('+') || at('?') || at('{'))
            return refuse("grammar.repeat", WB_TEXT("{}, line {}: consecutive repetitions; use parentheses."));
        return repeated(item, low, high);
    }

    Result<Sequence> repeated(const Sequence& item, std::uint64_t low, std::uint64_t high) {
        const std::uint64_t times = high == unboundedTimes ? low + 1 : std::max(low, high);
        if (times > maxGrammarSymbols || times * (item.size() + 1) > maxGrammarSymbols) return tooLarge();
        Sequence symbols;
        // An empty item adds nothing to the count of symbols, so that many of them would be looped over without a limit.
        for (std::uint64_t i = 0; i < low && !item.empty(); ++i) symbols.insert(symbols.end(), item.begin(), item.end());
        if (high == unboundedTimes) {
            // again ::= item again | ""
            const std::uint32_t again = addRule({}, true);
            Sequence more = item;
            more.push_back({SymbolKind::Rule, again});
            m_rules[again] = {std::move(more), {}};
            symbols.push_back({SymbolKind::Rule, again});
            WB_TRY(count(item.size() + 2));
            return symbols;
        }
        // Of optional ones each holds the next: more ::= item more' | ""
        std::optional<std::uint32_t> next;
        for (std::uint64_t i = low; i < high; ++i) {
            Sequence more = item;
            if (next) more.push_back({SymbolKind::Rule, *next});
            next = addRule({std::move(more), {}}, true);
            WB_TRY(count(item.size() + 2));
        }
        if (next) symbols.push_back({SymbolKind::Rule, *next});
        return symbols;
    }

    Result<void> bounds(std::uint64_t& low, std::uint64_t& high) {
        ++m_at;
        WB_TRY(skipBlanks(false));
        WB_TRY_ASSIGN(low, number());
        high = low;
        WB_TRY(skipBlanks(false));
        if (at(',')) {
            ++m_at;
            high = unboundedTimes;
            WB_TRY(skipBlanks(false));
            if (!at('}')) {
                WB_TRY_ASSIGN(high, number());
            }
            WB_TRY(skipBlanks(false));
        }
        if (!at('}') || high < low)
            return refuse("grammar.repeat", WB_TEXT("{}, line {}: write repetitions as {m}, {m,} or {m,n} with m ≤ n."));
        ++m_at;
        return {};
    }

    Result<std::uint64_t> number() {
        const std::size_t begin = m_at;
        std::uint64_t value = 0;
        for (; m_at < m_source.size() && m_source[m_at] >= '0' && m_source[m_at] <= '9'; ++m_at)
            value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(m_source[m_at] - '0'), 1'000'000'000);
        if (m_at == begin)
            return refuse("grammar.repeat", WB_TEXT("{}, line {}: write repetitions as {m}, {m,} or {m,n} with m ≤ n."));
        return value;
    }

    Result<void> count(std::size_t symbols) {
        m_count += symbols;
        if (m_count > maxGrammarSymbols) return tooLarge();
        return {};
    }

    void layOut() {
        m_grammar.m_rules.resize(m_rules.size());
        for (std::size_t rule = 0; rule < m_rules.size(); ++rule) {
            for (const Sequence& alternative : m_rules[rule]) {
                m_grammar.m_rules[rule].push_back(static_cast<std::uint32_t>(m_grammar.m_symbols.size()));
                m_grammar.m_symbols.insert(m_grammar.m_symbols.end(), alternative.begin(), alternative.end());
                m_grammar.m_symbols.push_back({});
            }
        }
    }

    std::string_view m_source;
    const std::string& m_name;
    const Tokenizer* m_tokenizer;
    std::size_t m_at = 0;
    std::size_t m_count = 0;
    std::map<std::string, std::uint32_t> m_names;
    std::vector<Alternatives> m_rules;
    std::vector<bool> m_isDefined;
    std::map<std::pair<bool, std::vector<CharacterRange>>, std::uint32_t> m_classNumbers;
    Grammar m_grammar;
};

Result<Grammar> Grammar::parse(std::string_view source, const std::string& name, const Tokenizer* tokenizer) {
    return GrammarParser(source, name, tokenizer).parse();
}

bool CharacterClass::holds(char32_t c) const {
    const bool isIn = std::ranges::any_of(ranges, [c](CharacterRange range) { return c >= range.low && c <= range.high; });
    return isIn != isNegated;
}

bool CharacterClass::meets(char32_t low, char32_t high) const {
    if (!isNegated)
        return std::ranges::any_of(ranges, [=](CharacterRange range) { return range.low <= high && range.high >= low; });
    // Some character between the ranges: the lowest that no range holds. They are sorted.
    char32_t free = low;
    for (const CharacterRange range : ranges) {
        if (range.low > free) break;
        if (range.high >= free) free = range.high + 1;
    }
    return free <= high;
}

} // namespace wb::text

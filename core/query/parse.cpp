// SPDX-License-Identifier: MIT
#include "core/arch/role.h"
#include "core/base/ascii.h"
#include "core/query/node.h"
#include "core/query/text_match.h"
#include "core/query/value.h"

#include <algorithm>
#include <array>
#include <limits>

namespace wb::query {
namespace {

constexpr std::size_t maximumBytes = 10'000;
constexpr int maximumDepth = 100;
constexpr double infinity = std::numeric_limits<double>::infinity();

using std::string_view_literals::operator""sv;
constexpr std::array operators = {"!="sv, "<="sv, ">="sv, "="sv, "<"sv, ">"sv}; // longer ones first

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
using ascii::isDigit;

// A value as written, with the place where it stands.
struct ParsedValue {
    std::string text;
    std::size_t at = 0;
    bool quoted = false;
};

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<Query> parse() {
        skipBlanks();
        if (atEnd()) return Query();
        WB_TRY_ASSIGN(Node root, disjunction());
        if (!atEnd())
            return fail(ErrorCode::Invalid, Reason("query.closes_nothing"),
                        WB_TEXT("The \")\" at position {} has no matching \"(\"."), position(m_at));
        return Query(std::make_shared<const Node>(std::move(root)));
    }

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    char current() const { return atEnd() ? '\0' : m_text[m_at]; }
    std::string_view rest() const { return m_text.substr(m_at); }

    // In characters from 1, as an editor counts.
    std::size_t position(std::size_t byte) const {
        const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
        return 1 + static_cast<std::size_t>(std::ranges::count_if(m_text.substr(0, byte), begins));
    }

    void skipBlanks() {
        while (!atEnd() && isBlank(current())) ++m_at;
    }

    // Passes the keyword if it is here as its own word.
    bool takeKeyword(std::string_view keyword) {
        const std::string_view next = rest().substr(0, keyword.size());
        const std::size_t end = m_at + keyword.size();
        const bool isWord = end >= m_text.size() || isBlank(m_text[end]) || m_text[end] == '(' || m_text[end] == ')';
        if (!isWord || !equalsLowered(next, keyword)) return false;
        m_at = end;
        skipBlanks();
        return true;
    }

    static Node join(Junction junction, std::vector<Node> members) {
        if (members.size() == 1 && junction != Junction::Not) return std::move(members.front());
        return {Group{junction, std::move(members)}};
    }

    Result<Node> disjunction() {
        std::vector<Node> members;
        do {
            WB_TRY_ASSIGN(Node member, conjunction());
            members.push_back(std::move(member));
        } while (takeKeyword("or"));
        return join(Junction::Or, std::move(members));
    }

    bool startsNoTerm() {
        const std::size_t here = m_at;
        const bool isOr = takeKeyword("or");
        m_at = here;
        return atEnd() || current() == ')' || isOr;
    }

    Result<Node> conjunction() {
        std::vector<Node> members;
        do {
            WB_TRY_ASSIGN(Node member, negation());
            members.push_back(std::move(member));
        } while (takeKeyword("and") || !startsNoTerm());
        return join(Junction::And, std::move(members));
    }

    Result<Node> negation() {
        if (startsNoTerm())
            return fail(ErrorCode::Invalid, Reason("query.no_term"), WB_TEXT("A search term is missing at position {}."),
                        position(m_at));
        if (++m_depth > maximumDepth)
            return fail(ErrorCode::TooLarge, Reason("query.too_deep"),
                        WB_TEXT("The search is nested more than {} levels deep at position {}."), maximumDepth, position(m_at));
        const bool isNot = takeKeyword("not");
        auto node = isNot ? negation() : primary();
        --m_depth;
        if (!node || !isNot) return node;
        std::vector<Node> members;
        members.push_back(std::move(*node));
        return join(Junction::Not, std::move(members));
    }

    Result<Node> primary() {
        if (current() != '(') return term();
        const std::size_t open = m_at++;
        skipBlanks();
        WB_TRY_ASSIGN(Node inner, disjunction());
        if (current() != ')')
            return fail(ErrorCode::Invalid, Reason("query.not_closed"), WB_TEXT("The \"(\" at position {} is not closed."),
                        position(open));
        ++m_at;
        skipBlanks();
        return inner;
    }

    Result<Node> term() {
        const std::size_t start = m_at;
        const std::string_view word = identifier();
        if (const std::string_view op = takeOperator(word); !op.empty()) {
            const Field* const field = findField(word);
            if (field == nullptr) {
                const auto near = nearestFields(word);
                return fail(ErrorCode::Invalid, Reason("query.unknown_field"),
                            WB_TEXT("Unknown field \"{}\" (position {}); did you mean {}, {} or {}?"), word, position(start),
                            near[0], near[1], near[2]);
            }
            return fieldTerm(*field, op);
        }
        m_at = start;
        WB_TRY_ASSIGN(const ParsedValue value, readValue());
        return Node{TextTerm{findField("name"), Contains{ascii::lowered(value.text)}}};
    }

    std::string_view identifier() {
        const std::size_t start = m_at;
        while (isLetter(current()) || (m_at > start && isDigit(current()))) ++m_at;
        return m_text.substr(start, m_at - start);
    }

    // The operator after a word: directly, or after blanks where the word is a field ("size > 10M"). Empty if none exists.
    std::string_view takeOperator(std::string_view word) {
        if (word.empty()) return {};
        if (current() == ':') {
            ++m_at;
            const std::string_view comparison = takeComparison();
            return comparison.empty() ? ":" : comparison;
        }
        const std::size_t here = m_at;
        if (findField(word) != nullptr) skipBlanks();
        const std::string_view comparison = takeComparison();
        if (comparison.empty()) m_at = here;
        return comparison;
    }

    std::string_view takeComparison() {
        for (const std::string_view op : operators)
            if (rest().starts_with(op)) {
                m_at += op.size();
                skipBlanks();
                return op;
            }
        return {};
    }

    Result<ParsedValue> readValue() {
        if (current() == '"') return readQuoted();
        ParsedValue value{{}, m_at, false};
        int depth = 0; // of parentheses and brackets inside the value, as in name:~(a|b) or shape:[2, 3]
        for (; !atEnd(); ++m_at) {
            const char c = current();
            if ((isBlank(c) && depth == 0) || (c == ')' && depth == 0)) break;
            if (c == '(' || c == '[') ++depth;
            if ((c == ')' || c == ']') && depth > 0) --depth;
            value.text += c;
            if (c == '\\' && m_at + 1 < m_text.size()) value.text += m_text[++m_at];
        }
        skipBlanks();
        return value;
    }

    Result<ParsedValue> readQuoted() {
        const std::size_t open = m_at++;
        const std::size_t close = m_text.find('"', m_at);
        if (close == std::string_view::npos)
            return fail(ErrorCode::Invalid, Reason("query.not_closed"), WB_TEXT("The quotation mark at position {} is not closed."),
                        position(open));
        ParsedValue value{std::string(m_text.substr(m_at, close - m_at)), m_at, true};
        m_at = close + 1;
        skipBlanks();
        return value;
    }

    Result<Node> fieldTerm(const Field& field, std::string_view op) {
        const std::size_t at = m_at;
        const bool isRegex = op == ":" && current() == '~';
        if (isRegex) ++m_at;
        WB_TRY_ASSIGN(const ParsedValue value, readValue());
        if (value.text.empty() && !value.quoted)
            return fail(ErrorCode::Invalid, Reason("query.no_value"), WB_TEXT("A value for \"{}\" is missing at position {}."),
                        field.name, position(at));
        switch (field.kind) {
        case FieldKind::Text:
        case FieldKind::Word: return isRegex ? regexTerm(field, value) : textTerm(field, op, value);
        case FieldKind::Shape: return shapeTerm(op, value);
        case FieldKind::Number:
        case FieldKind::Statistic: break;
        }
        return numberTerm(field, op, value);
    }

    Result<Node> regexTerm(const Field& field, const ParsedValue& value) {
        auto compiled = regex::Regex::compile(value.text, {.caseless = true});
        if (!compiled)
            return fail(ErrorCode::Invalid, Reason("query.bad_pattern"),
                        WB_TEXT("The regular expression at position {} is not valid: {}."), position(value.at), compiled.error());
        return Node{TextTerm{&field, std::move(*compiled)}};
    }

    Result<Node> textTerm(const Field& field, std::string_view op, const ParsedValue& value) {
        if (op != ":" && op != "=" && op != "!=") return noOrder(field, op, value);
        std::string text = ascii::lowered(value.text);
        TextTerm term{&field, Equals{text}, op == "!="};
        if (!value.quoted && text.find_first_of("*?") != std::string::npos) term.wanted = Glob{std::move(text)};
        else if (field.kind == FieldKind::Text && op == ":") term.wanted = Contains{std::move(text)};
        else if (field.name == "role" && !arch::roleFromName(text))
            return fail(ErrorCode::Invalid, Reason("query.unknown_role"),
                        WB_TEXT("Unknown role \"{}\" (position {}); the roles are {}."), value.text, position(value.at),
                        roleList());
        return Node{std::move(term)};
    }

    std::unexpected<Error> noOrder(const Field& field, std::string_view op, const ParsedValue& value) const {
        return fail(ErrorCode::Invalid, Reason("query.operator"),
                    WB_TEXT("\"{}\" does not support the operator \"{}\" (position {}); use \":\", \"=\" or \"!=\"."), field.name,
                    op, position(value.at));
    }

    static std::string roleList() {
        std::string list = arch::roleName(arch::Role{});
        for (int i = 1; i <= static_cast<int>(arch::Role::Other); ++i) (list += ", ") += arch::roleName(static_cast<arch::Role>(i));
        return list;
    }

    Result<Node> shapeTerm(std::string_view op, const ParsedValue& value) {
        if (op != ":" && op != "=" && op != "!=") return noOrder(*findField("shape"), op, value);
        auto dimensions = parseShape(value.text);
        if (!dimensions)
            return fail(ErrorCode::Invalid, Reason("query.no_shape"),
                        WB_TEXT("\"{}\" at position {} is not a shape; use the form 4096x14336, with * for any dimension."),
                        value.text, position(value.at));
        return Node{ShapeTerm{std::move(*dimensions), op == "!="}};
    }

    Result<Node> numberTerm(const Field& field, std::string_view op, const ParsedValue& value) {
        const auto range = op == ":" || op == "=" || op == "!=" ? parseRange(value.text) : parseOne(value.text);
        if (!range)
            return fail(ErrorCode::Invalid, Reason("query.no_number"),
                        WB_TEXT("\"{}\" at position {} is not a number for \"{}\"; use the form 12, 1.5e-3, 10M or 0-3."),
                        value.text, position(value.at), field.name);
        if (range->low > range->high)
            return fail(ErrorCode::Invalid, Reason("query.empty_range"),
                        WB_TEXT("The range \"{}\" at position {} ends before it starts."), value.text, position(value.at));
        NumberTerm term{&field, range->low, range->high};
        term.negated = op == "!=";
        if (op.starts_with('<')) term.low = -infinity;
        if (op.starts_with('>')) term.high = infinity;
        term.highClosed = op != "<";
        term.lowClosed = op != ">";
        return Node{term};
    }

    static std::optional<Range> parseOne(std::string_view text) {
        const auto number = parseNumber(text);
        return number ? std::optional(Range{*number, *number}) : std::nullopt;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<Query> parse(std::string_view text) {
    if (text.size() > maximumBytes)
        return fail(ErrorCode::TooLarge, Reason("query.too_long"), WB_TEXT("The search is longer than {} characters."),
                    maximumBytes);
    return Parser(text).parse();
}

} // namespace wb::query

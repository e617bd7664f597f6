// SPDX-License-Identifier: MIT
#include "core/text/jinja/ast.h"
#include "core/text/jinja/lexer.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace wb::text::jinja {
namespace {

using Kind = Expression::Kind;

// The grammar of docs/reference/tokenizers.md, "Language", from the loosest operator to the tightest.
class Parser {
    static constexpr std::size_t maxLinks = 400;

public:
    Parser(std::string_view source, unsigned maxDepth) : m_tokens(tokenize(source)), m_maxDepth(maxDepth) {}

    Block parse() {
        Block block = parseBlock({});
        if (peek().kind != TokenKind::End) fail("unexpected tag '" + peekTag() + "'");
        return block;
    }

private:
    // Nesting of the source, so that a template cannot use up the stack.
    class Level {
    public:
        explicit Level(Parser& parser) : m_parser(parser) {
            if (++m_parser.m_depth > m_parser.m_maxDepth) m_parser.fail("the template is nested too deeply");
        }
        ~Level() { --m_parser.m_depth; }

    private:
        Parser& m_parser;
    };

    [[noreturn]] void fail(const std::string& message) const { failTemplate(message, peek().line); }

    const Token& peek(std::size_t ahead = 0) const { return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)]; }
    Token take() { return m_tokens[m_at < m_tokens.size() - 1 ? m_at++ : m_at]; }
    bool isOperator(std::string_view text) const { return peek().kind == TokenKind::Operator && peek().text == text; }
    bool isName(std::string_view text) const { return peek().kind == TokenKind::Name && peek().text == text; }
    bool skipOperator(std::string_view text) { return isOperator(text) && (take(), true); }
    bool skipName(std::string_view text) { return isName(text) && (take(), true); }

    void expectOperator(std::string_view text) {
        if (!skipOperator(text)) fail("expected '" + std::string(text) + "'" + found());
    }
    void expectName(std::string_view text) {
        if (!skipName(text)) fail("expected '" + std::string(text) + "'" + found());
    }
    std::string takeName() {
        if (peek().kind != TokenKind::Name) fail("expected a name" + found());
        return take().text;
    }
    std::string found() const {
        return peek().kind == TokenKind::End ? ", found the end" : peek().text.empty() ? "" : ", found '" + peek().text + "'";
    }
    void expectTagEnd() {
        if (peek().kind != TokenKind::TagEnd) fail("expected the end of the tag" + found());
        take();
    }

    // ---- statements

    std::string peekTag() const {
        return peek().kind == TokenKind::TagBegin && peek(1).kind == TokenKind::Name ? peek(1).text : "";
    }

    // Statements up to a tag that is one of `endings`, which stays.
    Block parseBlock(std::initializer_list<std::string_view> endings) {
        const Level level(*this);
        Block block;
        while (peek().kind != TokenKind::End) {
            const std::string tag = peekTag();
            if (std::ranges::find(endings, tag) != endings.end() && !tag.empty()) return block;
            if (peek().kind == TokenKind::Data) {
                auto data = statement(Statement::Kind::Data);
                data->text = take().text;
                block.push_back(std::move(data));
            } else if (peek().kind == TokenKind::OutputBegin) {
                take();
                auto output = statement(Statement::Kind::Output);
                output->expression = parseTuple();
                if (peek().kind != TokenKind::OutputEnd) fail("expected '}}'" + found());
                take();
                block.push_back(std::move(output));
            } else if (auto parsed = parseTag()) {
                block.push_back(std::move(parsed));
            } else {
                return block; // a tag that only an outer block knows
            }
        }
        if (endings.size() > 0) fail("expected a tag '" + std::string(*(endings.end() - 1)) + "', found the end");
        return block;
    }

    std::unique_ptr<Statement> statement(Statement::Kind kind) const {
        auto made = std::make_unique<Statement>();
        made->kind = kind;
        made->line = peek().line;
        return made;
    }

    std::unique_ptr<Statement> parseTag() {
        const std::string tag = peekTag();
        if (tag == "if") return parseIf();
        if (tag == "for") return parseFor();
        if (tag == "set") return parseSet();
        if (tag == "macro") return parseMacro();
        if (tag == "call") return parseCall();
        if (tag == "filter") return parseFilterBlock();
        if (tag == "with") return parseWith();
        if (tag == "generation") return parseGeneration();
        if (tag == "break" || tag == "continue") return parseJump(tag == "break");
        if (tag == "elif" || tag == "else" || tag.starts_with("end")) return nullptr;
        fail(tag.empty() ? "a tag has no name" : "unknown tag '" + tag + "'");
    }

    void beginTag() {
        take();
        take();
    }

    // {% endX %}
    void endTag(std::string_view name) {
        if (peekTag() != name) fail("expected a tag '" + std::string(name) + "'");
        beginTag();
        expectTagEnd();
    }

    std::unique_ptr<Statement> parseIf() {
        auto made = statement(Statement::Kind::If);
        ++m_conditional;
        while (true) {
            const std::string tag = peekTag();
            beginTag();
            if (tag == "endif") break;
            ExpressionPtr condition = tag == "else" ? nullptr : parseTuple(false);
            expectTagEnd();
            Block body = parseBlock({"elif", "else", "endif"});
            made->branches.emplace_back(std::move(condition), std::move(body));
        }
        --m_conditional;
        expectTagEnd();
        return made;
    }

    std::unique_ptr<Statement> parseFor() {
        auto made = statement(Statement::Kind::For);
        beginTag();
        made->target = parseTarget();
        expectName("in");
        made->expression = parseTuple(false);
        if (skipName("if")) made->condition = parseExpression();
        made->isRecursive = skipName("recursive");
        expectTagEnd();
        ++m_loops;
        made->body = parseBlock({"else", "endfor"});
        --m_loops;
        if (peekTag() == "else") {
            beginTag();
            expectTagEnd();
            made->otherwise = parseBlock({"endfor"});
        }
        endTag("endfor");
        return made;
    }

    // Names, or an attribute of a namespace, that are set: x, a.b, (x, y), x, y.
    ExpressionPtr parseTarget() {
        std::vector<ExpressionPtr> parts;
        bool isTuple = false;
        do {
            if (isName("in") || isOperator("=") || peek().kind == TokenKind::TagEnd) break;
            if (skipOperator("(")) {
                parts.push_back(parseTarget());
                expectOperator(")");
            } else {
                auto name = expression(Kind::Name);
                name->name = takeName();
                while (isOperator(".")) {
                    take();
                    name = unary(Kind::Attribute, std::move(name));
                    name->name = takeName();
                }
                parts.push_back(std::move(name));
            }
            if (!isOperator(",")) break;
            isTuple = true;
        } while (skipOperator(","));
        if (parts.empty()) fail("expected a name" + found());
        if (!isTuple) return std::move(parts.front());
        auto tuple = expression(Kind::TupleLiteral);
        tuple->children = std::move(parts);
        return tuple;
    }

    std::unique_ptr<Statement> parseSet() {
        auto made = statement(Statement::Kind::Set);
        beginTag();
        made->target = parseTarget();
        if (skipOperator("=")) {
            made->expression = parseTuple();
            expectTagEnd();
            return made;
        }
        made->kind = Statement::Kind::SetBlock;
        made->expression = parseFilters(nullptr);
        expectTagEnd();
        made->body = parseBlock({"endset"});
        endTag("endset");
        return made;
    }

    void parseParameters(Statement& made) {
        expectOperator("(");
        while (!isOperator(")")) {
            std::string name = takeName();
            ExpressionPtr otherwise = skipOperator("=") ? parseExpression() : nullptr;
            made.parameters.emplace_back(std::move(name), std::move(otherwise));
            if (!skipOperator(",")) break;
        }
        expectOperator(")");
    }

    std::unique_ptr<Statement> parseMacro() {
        auto made = statement(Statement::Kind::Macro);
        beginTag();
        made->name = takeName();
        parseParameters(*made);
        expectTagEnd();
        made->body = parseBlock({"endmacro"});
        endTag("endmacro");
        return made;
    }

    std::unique_ptr<Statement> parseCall() {
        auto made = statement(Statement::Kind::Call);
        beginTag();
        if (isOperator("(")) parseParameters(*made);
        made->expression = parseExpression();
        if (made->expression->kind != Kind::Call) fail("a call block needs a call");
        expectTagEnd();
        made->body = parseBlock({"endcall"});
        endTag("endcall");
        return made;
    }

    std::unique_ptr<Statement> parseFilterBlock() {
        auto made = statement(Statement::Kind::FilterBlock);
        beginTag();
        made->expression = parseFilter(nullptr);
        made->expression = parseFilters(std::move(made->expression));
        expectTagEnd();
        made->body = parseBlock({"endfilter"});
        endTag("endfilter");
        return made;
    }

    std::unique_ptr<Statement> parseWith() {
        auto made = statement(Statement::Kind::With);
        beginTag();
        while (peek().kind != TokenKind::TagEnd) {
            std::string name = takeName();
            expectOperator("=");
            made->parameters.emplace_back(std::move(name), parseExpression());
            if (!skipOperator(",")) break;
        }
        expectTagEnd();
        made->body = parseBlock({"endwith"});
        endTag("endwith");
        return made;
    }

    std::unique_ptr<Statement> parseGeneration() {
        auto made = statement(Statement::Kind::Generation);
        beginTag();
        expectTagEnd();
        made->body = parseBlock({"endgeneration"});
        endTag("endgeneration");
        return made;
    }

    std::unique_ptr<Statement> parseJump(bool isBreak) {
        auto made = statement(isBreak ? Statement::Kind::Break : Statement::Kind::Continue);
        if (m_loops == 0) fail(std::string(isBreak ? "break" : "continue") + " outside of a loop");
        beginTag();
        expectTagEnd();
        return made;
    }

    // ---- expressions

    ExpressionPtr expression(Kind kind) const {
        auto made = std::make_unique<Expression>();
        made->kind = kind;
        made->line = peek().line;
        return made;
    }
    ExpressionPtr unary(Kind kind, ExpressionPtr child) const {
        auto made = expression(kind);
        made->children.push_back(std::move(child));
        return made;
    }
    ExpressionPtr binary(Kind kind, ExpressionPtr left, ExpressionPtr right) const {
        auto made = unary(kind, std::move(left));
        made->children.push_back(std::move(right));
        return made;
    }

    // The operators of one chain are inside each other; a tree that is too deep would use up the stack when it is evaluated or
    // freed.
    void countLink(std::size_t& links) const {
        if (++links > maxLinks) fail("the template is nested too deeply");
    }

    bool endsTuple() const {
        return peek().kind == TokenKind::TagEnd || peek().kind == TokenKind::OutputEnd || isOperator(")") || isName("if") ||
               isName("recursive");
    }

    // One expression, or several with commas between them: a tuple.
    ExpressionPtr parseTuple(bool withConditional = true) {
        const auto one = [&] { return withConditional ? parseExpression() : parseOr(); };
        ExpressionPtr first = one();
        if (!isOperator(",")) return first;
        auto tuple = unary(Kind::TupleLiteral, std::move(first));
        while (skipOperator(","))
            if (!endsTuple()) tuple->children.push_back(one());
        return tuple;
    }

    ExpressionPtr parseExpression() {
        const Level level(*this);
        ExpressionPtr value = parseOr();
        for (std::size_t links = 0; isName("if"); countLink(links)) {
            take();
            ++m_conditional;
            ExpressionPtr condition = parseOr();
            auto made = binary(Kind::Conditional, std::move(value), std::move(condition));
            made->children.push_back(skipName("else") ? parseExpression() : nullptr);
            --m_conditional;
            value = std::move(made);
        }
        return value;
    }

    ExpressionPtr parseOr() {
        ExpressionPtr left = parseAnd();
        for (std::size_t links = 0; skipName("or"); countLink(links)) left = binary(Kind::Or, std::move(left), parseAnd());
        return left;
    }

    ExpressionPtr parseAnd() {
        ExpressionPtr left = parseNot();
        for (std::size_t links = 0; skipName("and"); countLink(links)) left = binary(Kind::And, std::move(left), parseNot());
        return left;
    }

    ExpressionPtr parseNot() {
        const Level level(*this);
        if (skipName("not")) return unary(Kind::Not, parseNot());
        return parseCompare();
    }

    ExpressionPtr parseCompare() {
        ExpressionPtr left = parseSum();
        ExpressionPtr chain;
        while (true) {
            const std::string comparison = takeComparison();
            if (comparison.empty()) break;
            if (!chain) chain = unary(Kind::Compare, std::move(left));
            chain->operators.push_back(comparison);
            chain->children.push_back(parseSum());
        }
        return chain ? std::move(chain) : std::move(left);
    }

    // The operator of a comparison that comes next; empty if none exists.
    std::string takeComparison() {
        for (const std::string_view symbol : {"==", "!=", "<", ">", "<=", ">="})
            if (skipOperator(symbol)) return std::string(symbol);
        if (skipName("in")) return "in";
        if (!isName("not") || peek(1).kind != TokenKind::Name || peek(1).text != "in") return {};
        take();
        take();
        return "not in";
    }

    ExpressionPtr parseSum() {
        ExpressionPtr left = parseConcatenation();
        for (std::size_t links = 0; isOperator("+") || isOperator("-"); countLink(links)) {
            const Kind kind = take().text == "+" ? Kind::Add : Kind::Subtract;
            left = binary(kind, std::move(left), parseConcatenation());
        }
        return left;
    }

    ExpressionPtr parseConcatenation() {
        ExpressionPtr left = parseProduct();
        for (std::size_t links = 0; skipOperator("~"); countLink(links))
            left = binary(Kind::Concatenate, std::move(left), parseProduct());
        return left;
    }

    ExpressionPtr parseProduct() {
        ExpressionPtr left = parsePower();
        for (std::size_t links = 0; isOperator("*") || isOperator("/") || isOperator("//") || isOperator("%"); countLink(links)) {
            const Kind kind = isOperator("*")    ? Kind::Multiply
                              : isOperator("/")  ? Kind::Divide
                              : isOperator("//") ? Kind::FloorDivide
                                                 : Kind::Modulo;
            take();
            left = binary(kind, std::move(left), parsePower());
        }
        return left;
    }

    ExpressionPtr parsePower() {
        ExpressionPtr left = parseUnary(true);
        for (std::size_t links = 0; skipOperator("**"); countLink(links))
            left = binary(Kind::Power, std::move(left), parseUnary(true));
        return left;
    }

    ExpressionPtr parseUnary(bool withFilters) {
        const Level level(*this);
        ExpressionPtr made;
        if (skipOperator("-")) made = unary(Kind::Negative, parseUnary(false));
        else if (skipOperator("+")) made = unary(Kind::Positive, parseUnary(false));
        else made = parsePostfix(parsePrimary());
        return withFilters ? parseFiltersAndTests(std::move(made)) : std::move(made);
    }

    ExpressionPtr constant(Value value) const {
        auto made = expression(Kind::Constant);
        made->value = std::move(value);
        return made;
    }

    ExpressionPtr parsePrimary() {
        const Token& token = peek();
        switch (token.kind) {
        case TokenKind::Name: return parseNameOrConstant();
        case TokenKind::String: {
            std::string text = take().text;
            while (peek().kind == TokenKind::String) text += take().text;
            return constant(Value::of(std::move(text)));
        }
        case TokenKind::Integer: return constant(Value::of(integerFromDigits(take().text)));
        case TokenKind::Float: return constant(Value::of(parseDouble(take().text).value_or(0)));
        default: break;
        }
        if (skipOperator("(")) {
            auto made = isOperator(")") ? expression(Kind::TupleLiteral) : parseTuple();
            expectOperator(")");
            return made;
        }
        if (skipOperator("[")) return parseList();
        if (skipOperator("{")) return parseDict();
        fail("expected an expression" + found());
    }

    std::int64_t integerFromDigits(const std::string& digits) const {
        std::int64_t value = 0;
        const bool isHex = digits.starts_with("0x");
        const char* const begin = digits.data() + (isHex ? 2 : 0);
        const auto result = std::from_chars(begin, digits.data() + digits.size(), value, isHex ? 16 : 10);
        if (result.ec != std::errc()) fail("the number " + digits.substr(0, 40) + " is too large");
        return value;
    }

    ExpressionPtr parseNameOrConstant() {
        const std::string& word = peek().text;
        if (word == "true" || word == "True") return take(), constant(Value::of(true));
        if (word == "false" || word == "False") return take(), constant(Value::of(false));
        if (word == "none" || word == "None") return take(), constant(Value::none());
        auto made = expression(Kind::Name);
        made->name = take().text;
        return made;
    }

    ExpressionPtr parseList() {
        auto made = expression(Kind::ListLiteral);
        while (!isOperator("]")) {
            made->children.push_back(parseExpression());
            if (!skipOperator(",")) break;
        }
        expectOperator("]");
        return made;
    }

    ExpressionPtr parseDict() {
        auto made = expression(Kind::DictLiteral);
        while (!isOperator("}")) {
            made->children.push_back(parseExpression());
            expectOperator(":");
            made->children.push_back(parseExpression());
            if (!skipOperator(",")) break;
        }
        expectOperator("}");
        return made;
    }

    ExpressionPtr parsePostfix(ExpressionPtr made) {
        std::size_t length = 0;
        while (true) {
            countLink(length);
            if (skipOperator(".")) {
                if (peek().kind == TokenKind::Integer)
                    made = binary(Kind::Item, std::move(made), constant(Value::of(integerFromDigits(take().text))));
                else {
                    made = unary(Kind::Attribute, std::move(made));
                    made->name = takeName();
                }
            } else if (skipOperator("[")) {
                made = parseSubscript(std::move(made));
            } else if (isOperator("(")) {
                made = unary(Kind::Call, std::move(made));
                made->arguments = parseArguments();
            } else {
                return made;
            }
        }
    }

    ExpressionPtr parseSubscript(ExpressionPtr of) {
        ExpressionPtr parts[3];
        int colons = 0;
        while (!isOperator("]")) {
            if (skipOperator(":")) {
                if (++colons > 2) fail("a slice has three parts at most");
            } else {
                if (parts[colons]) fail("expected ']'" + found());
                parts[colons] = parseTuple();
            }
        }
        expectOperator("]");
        if (colons == 0) {
            if (!parts[0]) fail("expected an index");
            return binary(Kind::Item, std::move(of), std::move(parts[0]));
        }
        auto made = unary(Kind::Slice, std::move(of));
        for (ExpressionPtr& part : parts) made->children.push_back(std::move(part));
        return made;
    }

    CallArguments parseArguments() {
        CallArguments out;
        expectOperator("(");
        while (!isOperator(")")) {
            if (skipOperator("**")) out.spreadDict = parseExpression();
            else if (skipOperator("*")) out.spreadList = parseExpression();
            else if (peek().kind == TokenKind::Name && peek(1).kind == TokenKind::Operator && peek(1).text == "=") {
                std::string name = takeName();
                take();
                out.named.emplace_back(std::move(name), parseExpression());
            } else {
                if (!out.named.empty()) fail("a positional argument follows a named one");
                out.positional.push_back(parseExpression());
            }
            if (!skipOperator(",")) break;
        }
        expectOperator(")");
        return out;
    }

    ExpressionPtr parseFiltersAndTests(ExpressionPtr made) {
        std::size_t length = 0;
        while (true) {
            countLink(length);
            if (skipOperator("|")) made = parseFilter(std::move(made));
            else if (isName("is")) made = parseTest(std::move(made));
            else if (isOperator("(")) {
                made = unary(Kind::Call, std::move(made));
                made->arguments = parseArguments();
            } else return made;
        }
    }

    ExpressionPtr parseFilters(ExpressionPtr made) {
        for (std::size_t links = 0; skipOperator("|"); countLink(links)) made = parseFilter(std::move(made));
        return made;
    }

    // Unknown names are an error when the template is read, inside an `if` only when they are reached.
    ExpressionPtr parseFilter(ExpressionPtr child) {
        auto made = unary(Kind::Filter, std::move(child));
        made->name = takeName();
        while (skipOperator(".")) made->name += '.' + takeName();
        if (!isFilter(made->name) && m_conditional == 0) fail("there is no filter named '" + made->name + "'");
        if (isOperator("(")) made->arguments = parseArguments();
        return made;
    }

    ExpressionPtr parseTest(ExpressionPtr child) {
        take();
        const bool isNegated = skipName("not");
        auto made = unary(Kind::Test, std::move(child));
        made->name = takeName();
        while (skipOperator(".")) made->name += '.' + takeName();
        if (!isTest(made->name) && m_conditional == 0) fail("there is no test named '" + made->name + "'");
        if (isOperator("(")) made->arguments = parseArguments();
        else if (beginsTestArgument()) made->arguments.positional.push_back(parsePostfix(parsePrimary()));
        return isNegated ? unary(Kind::Not, std::move(made)) : std::move(made);
    }

    bool beginsTestArgument() const {
        switch (peek().kind) {
        case TokenKind::String:
        case TokenKind::Integer:
        case TokenKind::Float: return true;
        case TokenKind::Name:
            return !isName("else") && !isName("or") && !isName("and") && !isName("is") && !isName("if") && !isName("not") &&
                   !isName("in") && !isName("recursive");
        default: return isOperator("[") || isOperator("{");
        }
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    unsigned m_depth = 0;
    unsigned m_maxDepth;
    unsigned m_conditional = 0;
    unsigned m_loops = 0;
};

} // namespace

Block parse(std::string_view source, unsigned maxDepth) { return Parser(source, maxDepth).parse(); }

} // namespace wb::text::jinja

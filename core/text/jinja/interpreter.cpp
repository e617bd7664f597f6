// SPDX-License-Identifier: MIT
#include "core/text/jinja/interpreter.h"

#include <algorithm>

namespace wb::text::jinja {
namespace {

using Kind = Expression::Kind;

// The variables of a block; inner ones see the outer ones.
struct Scope {
    std::shared_ptr<Scope> outer;
    std::map<std::string, Value, std::less<>> variables;
};
using ScopePtr = std::shared_ptr<Scope>;

enum class Flow { Next, Break, Continue };

class Interpreter;

// {% macro %} and the body of {% call %}: sees the variables of where it was written.
class Macro final : public Object {
public:
    Macro(Interpreter& interpreter, const Statement& statement, ScopePtr scope)
        : m_interpreter(interpreter), m_statement(statement), m_scope(std::move(scope)) {}

    std::string typeName() const override { return "Macro"; }
    std::optional<Value> attribute(std::string_view name) override {
        if (name == "name") return Value::of(m_statement.name);
        return std::nullopt;
    }
    bool isCallable() const override { return true; }
    Value call(Arguments& arguments, Meter& meter) override;

private:
    Interpreter& m_interpreter;
    const Statement& m_statement;
    ScopePtr m_scope;
};

// `loop` inside {% for %}.
class Loop final : public Object, public std::enable_shared_from_this<Loop> {
public:
    Loop(List items, std::size_t depth) : m_items(std::move(items)), m_depth(depth) {}

    const List& items() const { return m_items; }

    void moveTo(std::size_t index) { m_index = index; }
    void setRecursion(std::function<Value(const Value&)> recursion) { m_recursion = std::move(recursion); }

    std::string typeName() const override { return "LoopContext"; }
    std::optional<Value> attribute(std::string_view name) override;
    bool isCallable() const override { return static_cast<bool>(m_recursion); }
    Value call(Arguments& arguments, Meter&) override {
        if (!m_recursion || arguments.positional.size() != 1)
            failType("the loop is not recursive, or was called without one value");
        return m_recursion(arguments.positional.front());
    }

private:
    // loop.cycle(a, b, …) and loop.changed(x)
    class Method final : public Object {
    public:
        Method(std::shared_ptr<Loop> loop, bool isCycle) : m_loop(std::move(loop)), m_isCycle(isCycle) {}
        std::string typeName() const override { return "method"; }
        bool isCallable() const override { return true; }
        Value call(Arguments& arguments, Meter& meter) override;

    private:
        std::shared_ptr<Loop> m_loop;
        bool m_isCycle;
    };

    List m_items;
    std::size_t m_depth;
    std::size_t m_index = 0;
    std::optional<List> m_lastValues;
    std::function<Value(const Value&)> m_recursion;
};

std::optional<Value> Loop::attribute(std::string_view name) {
    const auto number = [](std::size_t v) { return Value::of(static_cast<std::int64_t>(v)); };
    const std::size_t count = m_items.size();
    if (name == "index") return number(m_index + 1);
    if (name == "index0") return number(m_index);
    if (name == "revindex") return number(count - m_index);
    if (name == "revindex0") return number(count - m_index - 1);
    if (name == "first") return Value::of(m_index == 0);
    if (name == "last") return Value::of(m_index + 1 == count);
    if (name == "length") return number(count);
    if (name == "depth") return number(m_depth + 1);
    if (name == "depth0") return number(m_depth);
    if (name == "previtem") return m_index > 0 ? m_items[m_index - 1] : Value::undefined("there is no previous item");
    if (name == "nextitem") return m_index + 1 < count ? m_items[m_index + 1] : Value::undefined("there is no next item");
    if (name == "cycle" || name == "changed")
        return Value::of(std::static_pointer_cast<Object>(std::make_shared<Method>(shared_from_this(), name == "cycle")));
    return std::nullopt;
}

Value Loop::Method::call(Arguments& arguments, Meter& meter) {
    if (m_isCycle) {
        if (arguments.positional.empty()) failType("no items for cycling given");
        return arguments.positional[m_loop->m_index % arguments.positional.size()];
    }
    const bool same = m_loop->m_lastValues && m_loop->m_lastValues->size() == arguments.positional.size() &&
                      std::ranges::equal(*m_loop->m_lastValues, arguments.positional,
                                         [&](const Value& a, const Value& b) { return equal(a, b, meter); });
    if (!same) m_loop->m_lastValues = arguments.positional;
    return Value::of(!same);
}

class Interpreter final : public Caller {
public:
    Interpreter(Meter& meter, ScopePtr scope) : m_meter(meter), m_scope(std::move(scope)) {}

    Text run(const Block& program) {
        Text out;
        m_output = &out;
        runBlock(program);
        return out;
    }

    Meter& meter() override { return m_meter; }

    Value filter(std::string_view name, const Value& subject, Arguments arguments) override {
        m_meter.pay();
        return applyFilter(name, subject, arguments, *this);
    }

    bool test(std::string_view name, const Value& subject, const Arguments& arguments) override {
        m_meter.pay();
        return applyTest(name, subject, arguments, *this);
    }

    Value call(const Value& callable, Arguments arguments) override {
        const Meter::Level level(m_meter);
        m_meter.pay(16);
        requireDefined(callable);
        if (!callable.object()) failType("'" + callable.typeName() + "' object is not callable");
        // The callee is kept alive while it runs.
        const Value kept = callable;
        return kept.object()->call(arguments, m_meter);
    }

    // The text of a macro's body with these arguments.
    Value callMacro(const Statement& macro, const ScopePtr& scope, Arguments& arguments) {
        const ScopePtr inner = innerScope(scope);
        bindParameters(macro, *inner, scope, arguments);
        return Value::of(capture(inner, macro.body));
    }

private:
    ScopePtr innerScope(const ScopePtr& outer) {
        m_meter.pay(64);
        return std::make_shared<Scope>(Scope{outer, {}});
    }

    // ---- statements

    Flow runBlock(const Block& block) {
        const Meter::Level level(m_meter);
        for (const auto& statement : block) {
            m_meter.pay();
            try {
                const Flow flow = runStatement(*statement);
                if (flow != Flow::Next) return flow;
            } catch (Failure& failure) {
                if (failure.line == 0) failure.line = statement->line;
                throw;
            }
        }
        return Flow::Next;
    }

    Flow runStatement(const Statement& s) {
        using S = Statement::Kind;
        switch (s.kind) {
        case S::Data: print(Text::of(s.text)); return Flow::Next;
        case S::Output: print(toText(evaluate(*s.expression), m_meter)); return Flow::Next;
        case S::If: return runIf(s);
        case S::For: runFor(s); return Flow::Next;
        case S::Set: assign(*s.target, evaluate(*s.expression)); return Flow::Next;
        case S::SetBlock: assign(*s.target, filtered(s, Value::of(capture(innerScope(m_scope), s.body)))); return Flow::Next;
        case S::Macro:
            m_scope->variables.insert_or_assign(
                s.name, Value::of(std::static_pointer_cast<Object>(std::make_shared<Macro>(*this, s, m_scope))));
            return Flow::Next;
        case S::Call: runCall(s); return Flow::Next;
        case S::FilterBlock:
            print(toText(filtered(s, Value::of(capture(innerScope(m_scope), s.body))), m_meter));
            return Flow::Next;
        case S::With: return runWith(s);
        case S::Generation: return runBlock(s.body);
        case S::Break: return Flow::Break;
        case S::Continue: return Flow::Continue;
        }
        return Flow::Next;
    }

    void print(const Text& text) {
        m_meter.pay(text.bytes.size());
        if (m_output->bytes.size() + text.bytes.size() > m_meter.bounds().output) failTemplate("the template makes too much text");
        m_output->append(text);
    }

    Flow runIf(const Statement& s) {
        for (const auto& [condition, body] : s.branches)
            if (!condition || isTrue(evaluate(*condition))) return runBlock(body);
        return Flow::Next;
    }

    static bool isTrue(const Value& value) { return value.isTrue(); }

    // The block's text, its variables in `scope`.
    Text capture(ScopePtr scope, const Block& block) {
        Text out;
        const OutputGuard output(m_output, out);
        const ScopeGuard guard(m_scope, std::move(scope));
        runBlock(block);
        return out;
    }

    // Puts the scope back, and empties the inner one: a macro that was defined in it contains it.
    class ScopeGuard {
    public:
        ScopeGuard(ScopePtr& place, ScopePtr inner) : m_place(place), m_outer(std::exchange(place, std::move(inner))) {}
        ~ScopeGuard() { std::exchange(m_place, m_outer)->variables.clear(); }
        ScopeGuard(const ScopeGuard&) = delete;
        ScopeGuard& operator=(const ScopeGuard&) = delete;

    private:
        ScopePtr& m_place;
        ScopePtr m_outer;
    };

    // Directs the output elsewhere for a while.
    class OutputGuard {
    public:
        OutputGuard(Text*& place, Text& inner) : m_place(place), m_outer(std::exchange(place, &inner)) {}
        ~OutputGuard() { m_place = m_outer; }
        OutputGuard(const OutputGuard&) = delete;
        OutputGuard& operator=(const OutputGuard&) = delete;

    private:
        Text*& m_place;
        Text* m_outer;
    };

    // Runs the body in its own scope.
    template <typename Body>
    auto scoped(const Body& body) {
        const ScopeGuard guard(m_scope, innerScope(m_scope));
        return body();
    }

    void runFor(const Statement& s) { loopOver(s, evaluate(*s.expression), 0); }

    void loopOver(const Statement& s, const Value& iterable, std::size_t depth) {
        const Meter::Level level(m_meter);
        List items = valueElements(iterable, m_meter);
        if (s.condition) items = chosen(s, std::move(items));
        if (items.empty()) {
            scoped([&] { return runBlock(s.otherwise); });
            return;
        }
        const auto loop = std::make_shared<Loop>(std::move(items), depth);
        if (s.isRecursive)
            loop->setRecursion([this, &s, depth](const Value& inner) {
                Text out;
                {
                    const OutputGuard output(m_output, out);
                    loopOver(s, inner, depth + 1);
                }
                return Value::of(std::move(out));
            });
        for (std::size_t i = 0; i < loop->items().size(); ++i) {
            m_meter.pay(16);
            loop->moveTo(i);
            const Flow flow = scoped([&] {
                m_scope->variables.insert_or_assign("loop", Value::of(std::static_pointer_cast<Object>(loop)));
                assign(*s.target, loop->items()[i]);
                return runBlock(s.body);
            });
            if (flow == Flow::Break) break;
        }
    }

    List chosen(const Statement& s, List items) {
        List out;
        for (Value& item : items) {
            scoped([&] {
                assign(*s.target, item);
                if (isTrue(evaluate(*s.condition))) out.push_back(item);
                return Flow::Next;
            });
        }
        return out;
    }

    void assign(const Expression& target, const Value& value) {
        if (target.kind == Kind::Name) {
            m_scope->variables.insert_or_assign(target.name, value);
        } else if (target.kind == Kind::Attribute) {
            const Value object = evaluate(*target.children[0]);
            if (!object.object() || !object.object()->setAttribute(target.name, value))
                failTemplate("cannot assign attribute on non-namespace object");
        } else {
            const List items = valueElements(value, m_meter);
            if (value.undefined()) requireDefined(value);
            if (items.size() != target.children.size())
                failTemplate(items.size() < target.children.size() ? "not enough values to unpack" : "too many values to unpack");
            for (std::size_t i = 0; i < items.size(); ++i) assign(*target.children[i], items[i]);
        }
    }

    Value filtered(const Statement& s, Value text) { return s.expression ? applyChain(*s.expression, std::move(text)) : text; }

    // The filters of a block: the innermost one's child is the block's text.
    Value applyChain(const Expression& filterExpression, Value text) {
        Value subject = filterExpression.children[0] ? applyChain(*filterExpression.children[0], std::move(text)) : std::move(text);
        return filter(filterExpression.name, subject, evaluateArguments(filterExpression.arguments));
    }

    void runCall(const Statement& s) {
        Arguments arguments = evaluateArguments(s.expression->arguments);
        arguments.named.emplace_back("caller",
                                     Value::of(std::static_pointer_cast<Object>(std::make_shared<Macro>(*this, s, m_scope))));
        print(toText(call(evaluate(*s.expression->children[0]), std::move(arguments)), m_meter));
    }

    Flow runWith(const Statement& s) {
        std::vector<Value> values;
        for (const auto& [name, value] : s.parameters) values.push_back(evaluate(*value));
        return scoped([&] {
            for (std::size_t i = 0; i < values.size(); ++i) m_scope->variables.insert_or_assign(s.parameters[i].first, values[i]);
            return runBlock(s.body);
        });
    }

    void bindParameters(const Statement& macro, Scope& inner, const ScopePtr& scope, Arguments& arguments) {
        const std::size_t given = arguments.positional.size();
        for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
            const auto& [name, otherwise] = macro.parameters[i];
            const auto named = std::ranges::find(arguments.named, name, &std::pair<std::string, Value>::first);
            Value value;
            if (i < given) value = arguments.positional[i];
            else if (named != arguments.named.end()) value = named->second;
            else if (otherwise) value = expressionDefault(*otherwise, inner, scope);
            else value = Value::undefined("parameter '" + name + "' was not provided");
            if (named != arguments.named.end()) arguments.named.erase(named);
            inner.variables.insert_or_assign(name, std::move(value));
        }
        bindRest(macro, inner, arguments);
    }

    // varargs, kwargs and caller where the body names them; what it does not name and did not ask for is an error.
    void bindRest(const Statement& macro, Scope& inner, Arguments& arguments) {
        const auto caller = std::ranges::find(arguments.named, "caller", &std::pair<std::string, Value>::first);
        if (caller != arguments.named.end()) {
            inner.variables.insert_or_assign("caller", caller->second);
            arguments.named.erase(caller);
        }
        const std::size_t taken = std::min(arguments.positional.size(), macro.parameters.size());
        List rest(arguments.positional.begin() + static_cast<std::ptrdiff_t>(taken), arguments.positional.end());
        Dict named;
        for (auto& [name, value] : arguments.named) named.set(Value::of(name), value);
        if (!rest.empty() && !mentions(macro.body, "varargs"))
            failType("macro '" + macro.name + "' takes not more than " + std::to_string(macro.parameters.size()) + " argument(s)");
        if (!named.empty() && !mentions(macro.body, "kwargs"))
            failType("macro '" + macro.name + "' takes no keyword argument '" + arguments.named.front().first + "'");
        inner.variables.insert_or_assign("varargs", Value::tuple(std::move(rest)));
        inner.variables.insert_or_assign("kwargs", Value::of(std::move(named)));
    }

    Value expressionDefault(const Expression& expression, const Scope& inner, const ScopePtr& scope) {
        const ScopeGuard guard(m_scope, std::make_shared<Scope>(Scope{scope, inner.variables}));
        return evaluate(expression);
    }

    static bool mentions(const Expression* e, std::string_view name) {
        if (!e) return false;
        if (e->kind == Kind::Name && e->name == name) return true;
        const auto any = [&](const auto& list, auto get) {
            return std::ranges::any_of(list, [&](const auto& x) { return mentions(get(x), name); });
        };
        return any(e->children, [](const ExpressionPtr& x) { return x.get(); }) ||
               any(e->arguments.positional, [](const ExpressionPtr& x) { return x.get(); }) ||
               any(e->arguments.named, [](const auto& x) { return x.second.get(); }) ||
               mentions(e->arguments.spreadList.get(), name) || mentions(e->arguments.spreadDict.get(), name);
    }

    static bool mentions(const Block& block, std::string_view name) {
        return std::ranges::any_of(block, [&](const auto& s) {
            return mentions(s->expression.get(), name) || mentions(s->condition.get(), name) || mentions(s->body, name) ||
                   mentions(s->otherwise, name) ||
                   std::ranges::any_of(s->branches,
                                       [&](const auto& b) { return mentions(b.first.get(), name) || mentions(b.second, name); }) ||
                   std::ranges::any_of(s->parameters, [&](const auto& p) { return mentions(p.second.get(), name); });
        });
    }

    // ---- expressions

    Value evaluate(const Expression& e) {
        const Meter::Level level(m_meter);
        m_meter.pay();
        switch (e.kind) {
        case Kind::Constant: return e.value;
        case Kind::Name: return lookUp(e.name);
        case Kind::ListLiteral: return Value::of(evaluateAll(e.children));
        case Kind::TupleLiteral: return Value::tuple(evaluateAll(e.children));
        case Kind::DictLiteral: return evaluateDict(e);
        case Kind::Attribute: return getAttribute(evaluate(*e.children[0]), e.name, m_meter);
        case Kind::Item: return getItem(evaluate(*e.children[0]), evaluate(*e.children[1]), m_meter);
        case Kind::Slice: {
            const auto part = [&](std::size_t i) { return e.children[i] ? evaluate(*e.children[i]) : Value::none(); };
            const Value subject = evaluate(*e.children[0]);
            return getSlice(subject, part(1), part(2), part(3), m_meter);
        }
        case Kind::Call: {
            const Value callable = evaluate(*e.children[0]);
            return call(callable, evaluateArguments(e.arguments));
        }
        case Kind::Filter: {
            const Value subject = evaluate(*e.children[0]);
            return filter(e.name, subject, evaluateArguments(e.arguments));
        }
        case Kind::Test: {
            const Value subject = evaluate(*e.children[0]);
            return Value::of(test(e.name, subject, evaluateArguments(e.arguments)));
        }
        case Kind::Not: return Value::of(!isTrue(evaluate(*e.children[0])));
        case Kind::Negative: return signedValue(evaluate(*e.children[0]), true);
        case Kind::Positive: return signedValue(evaluate(*e.children[0]), false);
        case Kind::Add: return both("+", e);
        case Kind::Subtract: return both("-", e);
        case Kind::Multiply: return both("*", e);
        case Kind::Divide: return both("/", e);
        case Kind::FloorDivide: return both("//", e);
        case Kind::Modulo: return both("%", e);
        case Kind::Power: return both("**", e);
        case Kind::Concatenate: return both("~", e);
        case Kind::Compare: return Value::of(evaluateComparison(e));
        case Kind::And: {
            Value left = evaluate(*e.children[0]);
            return isTrue(left) ? evaluate(*e.children[1]) : left;
        }
        case Kind::Or: {
            Value left = evaluate(*e.children[0]);
            return isTrue(left) ? left : evaluate(*e.children[1]);
        }
        case Kind::Conditional:
            if (isTrue(evaluate(*e.children[1]))) return evaluate(*e.children[0]);
            return e.children[2] ? evaluate(*e.children[2]) : Value::undefined("the inline if-expression has no else part");
        }
        return {};
    }

    Value both(std::string_view symbol, const Expression& e) {
        const Value left = evaluate(*e.children[0]);
        return binary(symbol, left, evaluate(*e.children[1]), m_meter);
    }

    static Value signedValue(const Value& value, bool isNegative) {
        requireDefined(value);
        if (const double* const r = value.real()) return Value::of(isNegative ? -*r : *r);
        if (!value.isNumber())
            failType("bad operand type for unary " + std::string(isNegative ? "-" : "+") + ": '" + value.typeName() + "'");
        const std::int64_t i = value.integer() ? *value.integer() : *value.boolean() ? 1 : 0;
        return Value::of(isNegative ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(i)) : i);
    }

    Value lookUp(const std::string& name) const {
        for (const Scope* scope = m_scope.get(); scope; scope = scope->outer.get())
            if (const auto found = scope->variables.find(name); found != scope->variables.end()) return found->second;
        return Value::undefined("'" + name + "' is undefined");
    }

    List evaluateAll(const std::vector<ExpressionPtr>& expressions) {
        List out;
        for (const ExpressionPtr& expression : expressions) out.push_back(evaluate(*expression));
        m_meter.pay(out.size() * 32);
        return out;
    }

    Value evaluateDict(const Expression& e) {
        Dict out;
        for (std::size_t i = 0; i + 1 < e.children.size(); i += 2) {
            Value key = evaluate(*e.children[i]);
            m_meter.pay(64 + (key.text() ? 0 : out.size()));
            out.set(std::move(key), evaluate(*e.children[i + 1]));
        }
        return Value::of(std::move(out));
    }

    Arguments evaluateArguments(const CallArguments& given) {
        Arguments out;
        for (const ExpressionPtr& expression : given.positional) out.positional.push_back(evaluate(*expression));
        if (given.spreadList)
            for (Value& item : valueElements(evaluate(*given.spreadList), m_meter)) out.positional.push_back(std::move(item));
        for (const auto& [name, expression] : given.named) out.named.emplace_back(name, evaluate(*expression));
        if (given.spreadDict) {
            const Value spread = evaluate(*given.spreadDict);
            if (!spread.dict()) failType("argument after ** must be a mapping, not " + spread.typeName());
            for (const auto& [key, value] : spread.dict()->members())
                out.named.emplace_back(key.text() ? key.text()->bytes : toRepr(key, m_meter), value);
        }
        m_meter.pay((out.positional.size() + out.named.size()) * 32);
        return out;
    }

    bool evaluateComparison(const Expression& e) {
        Value left = evaluate(*e.children[0]);
        for (std::size_t i = 0; i < e.operators.size(); ++i) {
            Value right = evaluate(*e.children[i + 1]);
            if (!compare(e.operators[i], left, right)) return false;
            left = std::move(right);
        }
        return true;
    }

    bool compare(const std::string& symbol, const Value& left, const Value& right) {
        if (symbol == "==") return equal(left, right, m_meter);
        if (symbol == "!=") return !equal(left, right, m_meter);
        if (symbol == "in") return contains(right, left, m_meter);
        if (symbol == "not in") return !contains(right, left, m_meter);
        if (symbol == "<") return less(left, right, m_meter);
        if (symbol == ">") return less(right, left, m_meter);
        const bool isNaN = (left.real() && *left.real() != *left.real()) || (right.real() && *right.real() != *right.real());
        return !isNaN && (symbol == "<=" ? !less(right, left, m_meter) : !less(left, right, m_meter));
    }

    Meter& m_meter;
    ScopePtr m_scope;
    Text* m_output = nullptr;
};

Value Macro::call(Arguments& arguments, Meter&) { return m_interpreter.callMacro(m_statement, m_scope, arguments); }

// Macros hold their scope and the scope contains them; without this a rendering would never be freed.
class ScopeBreaker {
public:
    explicit ScopeBreaker(ScopePtr scope) : m_scope(std::move(scope)) {}
    ~ScopeBreaker() { m_scope->variables.clear(); }
    ScopeBreaker(const ScopeBreaker&) = delete;
    ScopeBreaker& operator=(const ScopeBreaker&) = delete;

private:
    ScopePtr m_scope;
};

} // namespace

Text render(const Block& program, const std::vector<std::pair<std::string, Value>>& variables, const std::tm& now, Meter& meter) {
    const auto scope = std::make_shared<Scope>();
    const ScopeBreaker breaker(scope);
    for (auto& [name, value] : globals(now)) scope->variables.insert_or_assign(name, value);
    for (const auto& [name, value] : variables) scope->variables.insert_or_assign(name, value);
    return Interpreter(meter, scope).run(program);
}

} // namespace wb::text::jinja

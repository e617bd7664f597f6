// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/meter.h"
#include "core/text/jinja/text_value.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace wb::text::jinja {

class Value;
class Dict;
using List = std::vector<Value>;

// Arguments of a call: those by position and those by name.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
};

// A missing value and the reason: `message` is the error text on use.
struct Undefined {
    std::string message;
    FailureClass failureClass = FailureClass::Undefined;
};

struct None {};

// Values whose attributes or calls are code: loop, namespace, macros, cycler, joiner and the methods of strings and dicts.
class Object {
public:
    virtual ~Object() = default;
    virtual std::string typeName() const = 0;
    virtual std::optional<Value> attribute(std::string_view name);
    virtual bool setAttribute(std::string_view name, Value value); // false: has none
    virtual bool isCallable() const { return false; }
    virtual Value call(Arguments& arguments, Meter& meter);
};

// One value of a template. Lists, tuples and dicts are shared and never change, as the sandbox of transformers forbids it.
class Value {
public:
    struct Tuple {
        std::shared_ptr<const List> items;
    };
    struct Range {
        std::shared_ptr<const List> items;
        std::string text; // "range(0, 3)"
    };
    using Data = std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const Text>, std::shared_ptr<const List>,
                              Tuple, Range, std::shared_ptr<const Dict>, std::shared_ptr<Object>>;

    Value() : m_data(Undefined{}) {}
    explicit Value(Data data) : m_data(std::move(data)) {}

    static Value undefined(std::string message, FailureClass failureClass = FailureClass::Undefined) {
        return Value(Undefined{std::move(message), failureClass});
    }
    static Value none() { return Value(None{}); }
    static Value of(bool v) { return Value(Data(v)); }
    static Value of(std::int64_t v) { return Value(Data(v)); }
    static Value of(double v) { return Value(Data(v)); }
    static Value of(Text v) { return Value(Data(std::make_shared<const Text>(std::move(v)))); }
    static Value of(std::string v) { return of(Text::of(std::move(v))); }
    static Value of(const char* v) { return of(std::string(v)); }
    static Value of(List v) { return Value(Data(std::make_shared<const List>(std::move(v)))); }
    static Value tuple(List v) { return Value(Data(Tuple{std::make_shared<const List>(std::move(v))})); }
    static Value of(Dict v);
    static Value of(std::shared_ptr<Object> v) { return Value(Data(std::move(v))); }

    const Undefined* undefined() const { return std::get_if<Undefined>(&m_data); }
    bool isNone() const { return std::holds_alternative<None>(m_data); }
    const bool* boolean() const { return std::get_if<bool>(&m_data); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&m_data); }
    const double* real() const { return std::get_if<double>(&m_data); }
    bool isNumber() const { return boolean() || integer() || real(); }
    double number() const; // of a number
    const Text* text() const;
    const List* list() const;  // of a list
    const List* items() const; // of a list, tuple or range
    bool isTuple() const { return std::holds_alternative<Tuple>(m_data); }
    const Range* range() const { return std::get_if<Range>(&m_data); }
    const Dict* dict() const;
    Object* object() const;

    bool isTrue() const;
    // As Python names the type: "str", "dict", "NoneType" … for messages.
    std::string typeName() const;

private:
    Data m_data;
};

// Members in the order they were put in; keys are any values that have no parts that could change.
class Dict {
public:
    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
    void set(Value key, Value value);
    const std::vector<std::pair<Value, Value>>& members() const { return m_members; }
    bool empty() const { return m_members.empty(); }
    std::size_t size() const { return m_members.size(); }

private:
    std::vector<std::pair<Value, Value>> m_members;
    std::unordered_map<std::string, std::size_t> m_texts; // where the members with a string as key are
};

// Python's ==, and < for values that have an order (TypeError for others).
bool equal(const Value& a, const Value& b, Meter& meter);
bool less(const Value& a, const Value& b, Meter& meter);

// Python's str() and repr().
Text toText(const Value& value, Meter& meter);
std::string toRepr(const Value& value, Meter& meter);
std::string numberText(double value);

// The elements that `for` walks: of a list, tuple or range, the keys of a dict, the characters of a string, nothing of an undefined
// one. TypeError for the others.
List valueElements(const Value& value, Meter& meter);

// Python's json.dumps of a value.
struct JsonStyle {
    std::optional<unsigned> indent;
    std::optional<std::pair<std::string, std::string>> separators; // between items, between key and value
    bool ensureAscii = false;
    bool sortKeys = false;
};
std::string toJson(const Value& value, const JsonStyle& style, Meter& meter);

} // namespace wb::text::jinja

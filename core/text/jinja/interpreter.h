// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/ast.h"

#include <ctime>

namespace wb::text::jinja {

// Renders a parsed template with these variables. Throws Failure with the line.
Text render(const Block& program, const std::vector<std::pair<std::string, Value>>& variables, const std::tm& now, Meter& meter);

// What filters and tests that call others need of the interpreter.
class Caller {
public:
    virtual ~Caller() = default;
    virtual Value filter(std::string_view name, const Value& subject, Arguments arguments) = 0;
    virtual bool test(std::string_view name, const Value& subject, const Arguments& arguments) = 0;
    virtual Value call(const Value& callable, Arguments arguments) = 0;
    virtual Meter& meter() = 0;
};

// The filters and tests by name; Failure (Template) for a name that is unknown.
Value applyFilter(std::string_view name, const Value& subject, Arguments& arguments, Caller& caller);
bool applyTest(std::string_view name, const Value& subject, const Arguments& arguments, Caller& caller);

// subject.name and subject[key]; undefined if none exists.
Value getAttribute(const Value& subject, std::string_view name, Meter& meter);
Value getItem(const Value& subject, const Value& key, Meter& meter);
Value getSlice(const Value& subject, const Value& from, const Value& to, const Value& step, Meter& meter);

// A method of a string or dict, bound to it; empty where the type has no such method.
std::optional<Value> findMethod(const Value& subject, std::string_view name);

// The operators of Python; `symbol` as in the source, "~" included.
Value binary(std::string_view symbol, const Value& left, const Value& right, Meter& meter);
bool contains(const Value& container, const Value& item, Meter& meter);

// Throws what using an undefined value means; nothing for others.
void requireDefined(const Value& value);

// Functions every template has: range, namespace, dict, cycler, joiner, raise_exception, strftime_now.
std::vector<std::pair<std::string, Value>> globals(const std::tm& now);

// The arguments of a filter or function by position or name; null if absent.
const Value* argument(const Arguments& arguments, std::size_t position, std::string_view name);

} // namespace wb::text::jinja

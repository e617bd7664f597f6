// SPDX-License-Identifier: MIT
#include "core/text/jinja/interpreter.h"
#include "core/text/jinja/string_tools.h"

#include <algorithm>
#include <cmath>

// The tests behind `is` (docs/reference/tokenizers.md, "Filters, tests and globals").
namespace wb::text::jinja {
namespace {

using Test = bool (*)(const Value& subject, const Arguments& arguments, Caller& caller);

const Value& other(const Arguments& arguments) {
    if (arguments.positional.empty()) failType("the test needs a value to compare with");
    return arguments.positional.front();
}

bool isFalse(const Value& v) { return v.boolean() && !*v.boolean(); }
bool isTrue(const Value& v) { return v.boolean() && *v.boolean(); }

std::int64_t valueWhole(const Value& v) {
    requireDefined(v);
    if (!v.integer() && !v.boolean()) failType("an integer is expected, not " + v.typeName());
    return v.integer() ? *v.integer() : *v.boolean() ? 1 : 0;
}

bool divisible(const Value& v, const Arguments& arguments, Caller&) {
    const std::int64_t by = valueWhole(other(arguments));
    if (by == 0) failTemplate("division by zero");
    return by == -1 || valueWhole(v) % by == 0;
}

bool same(const Value& a, const Arguments& arguments, Caller& caller) {
    const Value& b = other(arguments);
    return a.typeName() == b.typeName() && equal(a, b, caller.meter());
}

struct NamedTest {
    std::string_view name;
    Test test;
};

constexpr NamedTest tests[] = {
    {"defined", [](const Value& v, const Arguments&, Caller&) { return !v.undefined(); }},
    {"undefined", [](const Value& v, const Arguments&, Caller&) { return v.undefined() != nullptr; }},
    {"none", [](const Value& v, const Arguments&, Caller&) { return v.isNone(); }},
    {"boolean", [](const Value& v, const Arguments&, Caller&) { return v.boolean() != nullptr; }},
    {"true", [](const Value& v, const Arguments&, Caller&) { return isTrue(v); }},
    {"false", [](const Value& v, const Arguments&, Caller&) { return isFalse(v); }},
    {"integer", [](const Value& v, const Arguments&, Caller&) { return v.integer() != nullptr; }},
    {"float", [](const Value& v, const Arguments&, Caller&) { return v.real() != nullptr; }},
    {"number", [](const Value& v, const Arguments&, Caller&) { return v.isNumber(); }},
    {"string", [](const Value& v, const Arguments&, Caller&) { return v.text() != nullptr; }},
    {"mapping", [](const Value& v, const Arguments&, Caller&) { return v.dict() != nullptr; }},
    {"iterable", [](const Value& v, const Arguments&, Caller&) { return v.text() || v.items() || v.dict() || v.undefined(); }},
    {"sequence", [](const Value& v, const Arguments&, Caller&) { return v.text() || v.items() || v.dict() || v.undefined(); }},
    {"callable",
     [](const Value& v, const Arguments&, Caller&) { return v.undefined() || (v.object() && v.object()->isCallable()); }},
    {"sameas", same},
    {"eq", [](const Value& v, const Arguments& a, Caller& c) { return equal(v, other(a), c.meter()); }},
    {"equalto", [](const Value& v, const Arguments& a, Caller& c) { return equal(v, other(a), c.meter()); }},
    {"ne", [](const Value& v, const Arguments& a, Caller& c) { return !equal(v, other(a), c.meter()); }},
    {"lt", [](const Value& v, const Arguments& a, Caller& c) { return less(v, other(a), c.meter()); }},
    {"lessthan", [](const Value& v, const Arguments& a, Caller& c) { return less(v, other(a), c.meter()); }},
    {"gt", [](const Value& v, const Arguments& a, Caller& c) { return less(other(a), v, c.meter()); }},
    {"greaterthan", [](const Value& v, const Arguments& a, Caller& c) { return less(other(a), v, c.meter()); }},
    {"le", [](const Value& v, const Arguments& a, Caller& c) { return !less(other(a), v, c.meter()); }},
    {"ge", [](const Value& v, const Arguments& a, Caller& c) { return !less(v, other(a), c.meter()); }},
    {"in", [](const Value& v, const Arguments& a, Caller& c) { return contains(other(a), v, c.meter()); }},
    {"even", [](const Value& v, const Arguments&, Caller&) { return valueWhole(v) % 2 == 0; }},
    {"odd", [](const Value& v, const Arguments&, Caller&) { return valueWhole(v) % 2 != 0; }},
    {"divisibleby", divisible},
    {"lower",
     [](const Value& v, const Arguments&, Caller& c) {
         const Text t = toText(v, c.meter());
         return t.bytes == lowerCase(t.bytes) && t.bytes != upperCase(t.bytes);
     }},
    {"upper",
     [](const Value& v, const Arguments&, Caller& c) {
         const Text t = toText(v, c.meter());
         return t.bytes == upperCase(t.bytes) && t.bytes != lowerCase(t.bytes);
     }},
    {"filter", [](const Value& v, const Arguments&, Caller&) { return v.text() && isFilter(v.text()->bytes); }},
    {"test", [](const Value& v, const Arguments&, Caller&) { return v.text() && isTest(v.text()->bytes); }},
    {"escaped", [](const Value& v, const Arguments&, Caller&) { return v.text() && v.text()->isMarkup; }},
};

const NamedTest* findTest(std::string_view name) {
    const auto found = std::ranges::find(tests, name, &NamedTest::name);
    return found == std::end(tests) ? nullptr : found;
}

} // namespace

bool isTest(std::string_view name) { return findTest(name) != nullptr; }

bool applyTest(std::string_view name, const Value& subject, const Arguments& arguments, Caller& caller) {
    const NamedTest* const found = findTest(name);
    if (!found) failTemplate("there is no test named '" + std::string(name) + "'");
    return found->test(subject, arguments, caller);
}

} // namespace wb::text::jinja

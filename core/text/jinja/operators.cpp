// SPDX-License-Identifier: MIT
#include "core/text/jinja/format_spec.h"
#include "core/text/jinja/interpreter.h"

#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace wb::text::jinja {
namespace {

bool isWhole(const Value& value) { return value.integer() || value.boolean(); }
std::int64_t whole(const Value& value) { return value.integer() ? *value.integer() : *value.boolean() ? 1 : 0; }

[[noreturn]] void failOperands(std::string_view symbol, const Value& left, const Value& right) {
    failType(fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", symbol, left.typeName(), right.typeName()));
}

// HTML-escaped, as markup does with added text.
Text escaped(const Text& text) {
    std::string out;
    for (const char c : text.bytes) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '\'': out += "&#39;"; break;
        case '"': out += "&#34;"; break;
        default: out += c;
        }
    }
    return out == text.bytes ? text : text.changed(std::move(out));
}

Value joined(const Text& left, const Text& right, Meter& meter) {
    meter.pay(left.bytes.size() + right.bytes.size());
    const bool isMarkup = left.isMarkup || right.isMarkup;
    Text out = isMarkup && !left.isMarkup ? escaped(left) : left;
    out.append(isMarkup && !right.isMarkup ? escaped(right) : right);
    out.isMarkup = isMarkup;
    return Value::of(std::move(out));
}

Value add(const Value& left, const Value& right, Meter& meter) {
    if (left.text() && right.text()) return joined(*left.text(), *right.text(), meter);
    if (left.items() && right.items() && left.isTuple() == right.isTuple() && !left.range() && !right.range()) {
        List out = *left.items();
        out.insert(out.end(), right.items()->begin(), right.items()->end());
        meter.pay(out.size() * 32);
        return left.isTuple() ? Value::tuple(std::move(out)) : Value::of(std::move(out));
    }
    if (left.text()) failType("can only concatenate str (not \"" + right.typeName() + "\") to str");
    failOperands("+", left, right);
}

Value repeated(const Value& what, std::int64_t times, Meter& meter) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
    if (const Text* const text = what.text()) {
        if (count > 0 && text->bytes.size() > (1ull << 40) / count) failTemplate("the template makes too much text");
        meter.pay(text->bytes.size() * count);
        Text out = Text::of("");
        out.isMarkup = text->isMarkup;
        if (!text->bytes.empty())
            for (std::uint64_t i = 0; i < count; ++i) out.append(*text);
        return Value::of(std::move(out));
    }
    const List& items = *what.items();
    if (count > 0 && items.size() > (1ull << 40) / count) failTemplate("the template makes too many values");
    meter.pay(items.size() * count * 32);
    List out;
    if (!items.empty())
        for (std::uint64_t i = 0; i < count; ++i) out.insert(out.end(), items.begin(), items.end());
    return what.isTuple() ? Value::tuple(std::move(out)) : Value::of(std::move(out));
}

Value multiply(const Value& left, const Value& right, Meter& meter) {
    const auto repeats = [](const Value& a, const Value& b) { return (a.text() || (a.items() && !a.range())) && isWhole(b); };
    if (repeats(left, right)) return repeated(left, whole(right), meter);
    if (repeats(right, left)) return repeated(right, whole(left), meter);
    failOperands("*", left, right);
}

[[noreturn]] void failOverflow() { failTemplate("a number is too large"); }

constexpr std::int64_t maxWhole = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t minWhole = std::numeric_limits<std::int64_t>::min();

std::int64_t sum(std::int64_t a, std::int64_t b) {
    if (b > 0 ? a > maxWhole - b : a < minWhole - b) failOverflow();
    return a + b;
}

std::int64_t difference(std::int64_t a, std::int64_t b) {
    if (b < 0 ? a > maxWhole + b : a < minWhole + b) failOverflow();
    return a - b;
}

std::int64_t product(std::int64_t a, std::int64_t b) {
    if (a == 0 || b == 0) return 0;
    if ((a == -1 && b == minWhole) || (b == -1 && a == minWhole)) failOverflow();
    if (a != -1 && b != -1 &&
        (a > 0 ? (b > 0 ? a > maxWhole / b : b < minWhole / a) : (b > 0 ? a < minWhole / b : a < maxWhole / b)))
        failOverflow();
    return a * b;
}

Value wholeArithmetic(std::string_view symbol, std::int64_t a, std::int64_t b) {
    if (symbol == "+") return Value::of(sum(a, b));
    if (symbol == "-") return Value::of(difference(a, b));
    if (symbol == "*") return Value::of(product(a, b));
    if (b == 0) failTemplate("division by zero");
    if (a == minWhole && b == -1) failOverflow();
    const bool adjusts = a % b != 0 && ((a % b < 0) != (b < 0));
    return symbol == "//" ? Value::of(a / b - (adjusts ? 1 : 0)) : Value::of(a % b + (adjusts ? b : 0));
}

Value power(const Value& left, const Value& right) {
    if (!isWhole(left) || !isWhole(right) || whole(right) < 0) return Value::of(std::pow(left.number(), right.number()));
    std::int64_t out = 1;
    std::int64_t base = whole(left);
    for (std::int64_t exponent = whole(right); exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) out = product(out, base);
        if (exponent > 1) base = product(base, base);
    }
    return Value::of(out);
}

Value arithmetic(std::string_view symbol, const Value& left, const Value& right) {
    if (symbol == "**") return power(left, right);
    if (symbol != "/" && isWhole(left) && isWhole(right)) return wholeArithmetic(symbol, whole(left), whole(right));
    const double a = left.number();
    const double b = right.number();
    if (symbol == "+") return Value::of(a + b);
    if (symbol == "-") return Value::of(a - b);
    if (symbol == "*") return Value::of(a * b);
    if (b == 0) failTemplate("division by zero");
    if (symbol == "/") return Value::of(a / b);
    if (symbol == "//") return Value::of(std::floor(a / b));
    const double rest = std::fmod(a, b);
    return Value::of(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

// "%-8.3s": a text in a field, at its right end unless a minus says otherwise.
Text inPrintfField(const Text& text, const std::string& spec, Meter& meter) {
    const std::size_t point = std::min(spec.find('.'), spec.size());
    const std::size_t digits = std::min(spec.find_first_of("123456789"), point);
    const std::int64_t width = digits < point ? std::stol(spec.substr(digits, point - digits)) : 0;
    const Text shown = point == spec.size() ? text : shortened(text, std::stol('0' + spec.substr(point + 1)));
    const std::int64_t missing = width - characterCount(shown.bytes);
    const bool isLeft = spec.find('-') < digits;
    return padded(shown, isLeft ? 0 : missing, isLeft ? missing : 0, " ", meter);
}

const Value& memberNamed(const Value& values, const std::string& name) {
    if (!values.dict()) failType("format requires a mapping");
    const Value* const found = values.dict()->find(Value::of(name));
    if (!found) failTemplate("the format string names \"" + name + "\", which was not given");
    return *found;
}

Text characterFromCode(std::int64_t code) {
    if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) failTemplate("%c arg not in range(0x110000)");
    std::string out;
    appendUtf8(out, static_cast<char32_t>(code));
    return Text::of(std::move(out));
}

// "%s: %d" % values, the printf style of Python.
Value formatted(const Text& format, const Value& values, Meter& meter) {
    const List single{values};
    const List& items = values.isTuple() ? *values.items() : single;
    Text out = Text::of("");
    std::size_t next = 0;
    bool takesNames = false;
    const std::string& f = format.bytes;
    for (std::size_t at = 0; at < f.size();) {
        if (f[at] != '%') {
            const std::size_t end = std::min(f.find('%', at), f.size());
            out.append(format.cut(at, end));
            at = end;
            continue;
        }
        const std::size_t named = f.substr(at + 1, 1) == "(" ? std::min(f.find(')', at), f.size() - 1) : at;
        std::size_t end = f.find_first_of("sdiufFgGxXoreEc%", named + 1);
        if (end == std::string::npos || end - named > 16) failTemplate("unsupported format character");
        const std::string spec = f.substr(named + 1, end - named - 1);
        const char kind = f[end];
        const std::size_t before = std::exchange(at, end + 1);
        if (kind == '%') {
            out.append("%");
            continue;
        }
        if (spec.find_first_not_of("-+ #0.123456789") != std::string::npos || spec.size() > 6)
            failTemplate("unsupported format character");
        if (named == before && next == items.size()) failType("not enough arguments for format string");
        const Value& value = named == before ? items[next++] : memberNamed(values, f.substr(before + 2, named - before - 2));
        takesNames |= named != before;
        meter.pay(1000);
        if (kind == 's' || kind == 'r' || kind == 'c') {
            Text text = kind == 'r' ? Text::literalText(toRepr(value, meter)) : toText(value, meter);
            if (kind == 'c' && value.integer()) text = characterFromCode(*value.integer());
            out.append(inPrintfField(text, spec, meter));
            continue;
        }
        if (!value.isNumber()) failType(fmt::format("%{} format: a real number is required, not {}", kind, value.typeName()));
        const bool isWhole = std::string_view("diu").find(kind) != std::string_view::npos;
        bool isReal = std::string_view("fFgGeE").find(kind) != std::string_view::npos;
        std::string pattern = '%' + spec + (isReal ? std::string(1, kind) : std::string("ll") + (isWhole ? 'd' : kind));
        char buffer[1200];
        std::int64_t number = value.integer() ? *value.integer() : value.boolean() && *value.boolean();
        if (const double* real = value.real(); real && !isReal) { // is cut to a whole number, of any length
            if (!isWhole) failType(fmt::format("%{} format: an integer is required, not float", kind));
            if (!std::isfinite(*real)) failType("cannot convert float infinity or NaN to integer");
            isReal = std::abs(*real) >= 0x1p63;
            if (isReal) pattern = '%' + spec.substr(0, spec.find('.')) + ".0f";
            else number = static_cast<std::int64_t>(*real);
        }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        const int length = isReal ? std::snprintf(buffer, sizeof buffer, pattern.c_str(), value.number())
                                  : std::snprintf(buffer, sizeof buffer, pattern.c_str(), static_cast<long long>(number));
#pragma GCC diagnostic pop
        out.append(std::string_view(buffer, static_cast<std::size_t>(std::clamp(length, 0, 1199))));
    }
    if (values.isTuple() && !takesNames && next < items.size()) failType("not all arguments converted during string formatting");
    return Value::of(std::move(out));
}

} // namespace

void requireDefined(const Value& value) {
    if (const Undefined* const missing = value.undefined()) throw Failure{missing->failureClass, missing->message, 0};
}

Value binary(std::string_view symbol, const Value& left, const Value& right, Meter& meter) {
    if (symbol == "~") {
        Text out = toText(left, meter);
        out.append(toText(right, meter));
        out.isMarkup = false;
        return Value::of(std::move(out));
    }
    requireDefined(left);
    if (symbol == "%" && left.text()) return formatted(*left.text(), right, meter);
    requireDefined(right);
    if (left.isNumber() && right.isNumber()) return arithmetic(symbol, left, right);
    if (symbol == "+") return add(left, right, meter);
    if (symbol == "*") return multiply(left, right, meter);
    failOperands(symbol, left, right);
}

bool contains(const Value& container, const Value& item, Meter& meter) {
    if (container.undefined()) return valueElements(container, meter).size() == 1; // never: raises where it must
    if (const Text* const text = container.text()) {
        if (!item.text()) failType("'in <string>' requires string as left operand, not " + item.typeName());
        meter.pay(text->bytes.size() + 1);
        return text->bytes.find(item.text()->bytes) != std::string::npos;
    }
    if (const Dict* const dict = container.dict()) {
        meter.pay(item.text() ? item.text()->bytes.size() : dict->size());
        return dict->find(item) != nullptr;
    }
    if (const List* const items = container.items())
        return std::ranges::any_of(*items, [&](const Value& element) { return equal(element, item, meter); });
    failType("argument of type '" + container.typeName() + "' is not iterable");
}

namespace {

// Where character `index` of a text starts; its size for the one after the last.
std::size_t byteOfCharacter(const std::string& text, std::size_t index) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < index && at < text.size(); ++i) at += characterBytes(text[at]);
    return std::min(at, text.size());
}

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<std::size_t> indexIn(const Value& key, std::size_t count) {
    std::int64_t index = whole(key);
    if (index < 0) index += static_cast<std::int64_t>(count);
    if (index < 0 || index >= static_cast<std::int64_t>(count)) return std::nullopt;
    return static_cast<std::size_t>(index);
}

std::string missing(const Value& subject, const std::string& name) {
    const std::string type = subject.typeName();
    return "'" + type + " object' has no attribute '" + name + "'";
}

} // namespace

Value getAttribute(const Value& subject, std::string_view name, Meter& meter) {
    meter.pay(name.size() + 8);
    requireDefined(subject);
    const std::string text(name);
    if (name.starts_with("_"))
        return Value::undefined("access to attribute '" + text + "' of '" + subject.typeName() + "' object is unsafe.",
                                FailureClass::Security);
    if (auto method = findMethod(subject, name)) return *std::move(method);
    if (const Dict* const dict = subject.dict())
        if (const Value* const found = dict->find(name)) return *found;
    if (Object* const object = subject.object())
        if (auto found = object->attribute(name)) return *std::move(found);
    return Value::undefined(subject.isNone() ? "'None' has no attribute '" + text + "'" : missing(subject, text));
}

Value getItem(const Value& subject, const Value& key, Meter& meter) {
    meter.pay(8);
    requireDefined(subject);
    if (const Dict* const dict = subject.dict()) {
        meter.pay(key.text() ? key.text()->bytes.size() : dict->size());
        if (const Value* const found = dict->find(key)) return *found;
    } else if (isWhole(key)) {
        if (const List* const items = subject.items()) {
            if (const auto index = indexIn(key, items->size())) return (*items)[*index];
        } else if (const Text* const t = subject.text()) {
            meter.pay(t->bytes.size());
            if (const auto index = indexIn(key, characters(t->bytes))) {
                const std::size_t begin = byteOfCharacter(t->bytes, *index);
                return Value::of(t->cut(begin, begin + characterBytes(t->bytes[begin])));
            }
        }
        return Value::undefined("'" + subject.typeName() + " object' has no element " + std::to_string(whole(key)));
    }
    if (key.text()) {
        const std::string& name = key.text()->bytes;
        if (name.starts_with("_"))
            return Value::undefined("access to attribute '" + name + "' of '" + subject.typeName() + "' object is unsafe.",
                                    FailureClass::Security);
        if (auto method = findMethod(subject, name)) return *std::move(method);
        if (Object* const object = subject.object())
            if (auto found = object->attribute(name)) return *std::move(found);
        return Value::undefined(missing(subject, name));
    }
    return Value::undefined("'" + subject.typeName() + " object' has no such element");
}

Value getSlice(const Value& subject, const Value& from, const Value& to, const Value& step, Meter& meter) {
    requireDefined(subject);
    const List* const items = subject.items();
    const Text* const text = subject.text();
    if (!items && !text) failType("'" + subject.typeName() + "' object is not subscriptable");
    const auto count = static_cast<std::int64_t>(items ? items->size() : characters(text->bytes));
    const auto number = [&](const Value& v, std::int64_t otherwise) {
        if (v.isNone()) return otherwise;
        if (!isWhole(v)) failType("slice indices must be integers or None");
        return whole(v);
    };
    const std::int64_t stride = number(step, 1);
    if (stride == 0) failTemplate("slice step cannot be zero");
    const auto clamped = [&](std::int64_t v) {
        if (v < 0) v = std::max<std::int64_t>(v + count, stride < 0 ? -1 : 0);
        return std::min(v, stride < 0 ? count - 1 : count);
    };
    const std::int64_t begin = from.isNone() ? (stride < 0 ? count - 1 : 0) : clamped(number(from, 0));
    const std::int64_t end = to.isNone() ? (stride < 0 ? -1 : count) : clamped(number(to, 0));
    meter.pay(static_cast<std::uint64_t>(count) * (items ? 8 : 1));
    if (text && stride == 1) {
        const std::size_t first = byteOfCharacter(text->bytes, static_cast<std::size_t>(begin));
        return Value::of(
            text->cut(first, std::max(first, byteOfCharacter(text->bytes, static_cast<std::size_t>(std::max(begin, end))))));
    }
    const List characterList = text ? valueElements(subject, meter) : List();
    const List& source = text ? characterList : *items;
    List out;
    for (std::int64_t i = begin; stride > 0 ? i < end : i > end; i += stride) {
        out.push_back(source[static_cast<std::size_t>(i)]);
        if (stride > count || stride < -count) break; // the next index would overflow, and none exists
    }
    meter.pay(out.size() * 32);
    if (items) return subject.isTuple() ? Value::tuple(std::move(out)) : Value::of(std::move(out));
    Text joinedText = Text::of("");
    joinedText.isMarkup = text->isMarkup;
    for (const Value& character : out) joinedText.append(*character.text());
    return Value::of(std::move(joinedText));
}

} // namespace wb::text::jinja

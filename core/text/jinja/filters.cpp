// SPDX-License-Identifier: MIT
#include "core/text/jinja/format_spec.h"
#include "core/text/jinja/interpreter.h"
#include "core/text/jinja/json_values.h"
#include "core/text/jinja/string_tools.h"

#include "core/base/text.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

// The filters of docs/reference/tokenizers.md, "Filters, tests and globals".
namespace wb::text::jinja {
namespace {

using Filter = Value (*)(const Value& subject, Arguments& arguments, Caller& caller);

bool flag(const Arguments& arguments, std::size_t position, std::string_view name, bool otherwise = false) {
    const Value* const given = argument(arguments, position, name);
    return given ? given->isTrue() : otherwise;
}

std::int64_t whole(const Arguments& arguments, std::size_t position, std::string_view name, std::int64_t otherwise) {
    const Value* const given = argument(arguments, position, name);
    if (!given || given->isNone()) return otherwise;
    if (!given->integer()) failType("an integer is expected, not " + given->typeName());
    return *given->integer();
}

std::string word(const Arguments& arguments, std::size_t position, std::string_view name, const std::string& otherwise) {
    const Value* const given = argument(arguments, position, name);
    return given && given->text() ? given->text()->bytes : otherwise;
}

// "a.b.0" of an item: what attribute= means.
Value path(const Value& item, const Value& attribute, Meter& meter) {
    if (!attribute.text()) return getItem(item, attribute, meter);
    Value value = item;
    std::string_view rest = attribute.text()->bytes;
    while (true) {
        const std::size_t dot = std::min(rest.find('.'), rest.size());
        const std::string_view part = rest.substr(0, dot);
        std::int64_t index = 0;
        const auto parsed = std::from_chars(part.data(), part.data() + part.size(), index);
        const bool isIndex = !part.empty() && parsed.ec == std::errc() && parsed.ptr == part.data() + part.size();
        value = getItem(value, isIndex ? Value::of(index) : Value::of(std::string(part)), meter);
        if (dot == rest.size()) return value;
        rest.remove_prefix(dot + 1);
    }
}

Value attributeKey(const Value& item, const Value* attribute, bool caseSensitive, Meter& meter) {
    Value key = attribute && !attribute->isNone() ? path(item, *attribute, meter) : item;
    if (caseSensitive || !key.text()) return key;
    meter.pay(key.text()->bytes.size());
    return Value::of(lowerCase(key.text()->bytes));
}

Value toJsonFilter(const Value& subject, Arguments& arguments, Caller& caller) {
    JsonStyle style;
    style.ensureAscii = flag(arguments, 0, "ensure_ascii");
    if (const Value* const indent = argument(arguments, 1, "indent"); indent && indent->integer())
        style.indent = static_cast<unsigned>(std::clamp<std::int64_t>(*indent->integer(), 0, 1000));
    if (const Value* const given = argument(arguments, 2, "separators"); given && given->items() && given->items()->size() == 2)
        style.separators = {toText((*given->items())[0], caller.meter()).bytes, toText((*given->items())[1], caller.meter()).bytes};
    style.sortKeys = flag(arguments, 3, "sort_keys");
    std::string text = toJson(subject, style, caller.meter());
    return Value::of(Text::literalText(std::move(text)));
}

Value fromJsonFilter(const Value& subject, Arguments&, Caller& caller) {
    if (!subject.text()) failType("the JSON object must be str, not " + subject.typeName());
    caller.meter().pay(subject.text()->bytes.size() * 16);
    auto parsed = valueOfJson(subject.text()->bytes);
    if (!parsed) failTemplate("the text is not JSON");
    return *std::move(parsed);
}

Value length(const Value& subject, Arguments&, Caller& caller) {
    if (subject.undefined()) return Value::of(static_cast<std::int64_t>(valueElements(subject, caller.meter()).size()));
    if (const Text* const text = subject.text()) {
        caller.meter().pay(text->bytes.size());
        return Value::of(characterCount(text->bytes));
    }
    if (const List* const items = subject.items()) return Value::of(static_cast<std::int64_t>(items->size()));
    if (const Dict* const dict = subject.dict()) return Value::of(static_cast<std::int64_t>(dict->size()));
    failType("object of type '" + subject.typeName() + "' has no len()");
}

Value trim(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const given = argument(arguments, 0, "chars");
    std::optional<std::string> characters;
    if (given && given->text()) characters = given->text()->bytes;
    const Text text = toText(subject, caller.meter());
    caller.meter().pay(text.bytes.size() * (characters ? characters->size() + 1 : 1));
    return Value::of(stripped(text, characters, true, true));
}

Value defaultFilter(const Value& subject, Arguments& arguments, Caller&) {
    const Value* const given = argument(arguments, 0, "default_value");
    const bool replaces = subject.undefined() || (flag(arguments, 1, "boolean") && !subject.isTrue());
    return replaces ? (given ? *given : Value::of("")) : subject;
}

Value string(const Value& subject, Arguments&, Caller& caller) { return Value::of(toText(subject, caller.meter())); }

Value items(const Value& subject, Arguments& arguments, Caller& caller) {
    if (subject.undefined()) return Value::of(List());
    if (!subject.dict()) failType("Can only get item pairs from a mapping.");
    return caller.call(*findMethod(subject, "items"), std::move(arguments));
}

Value join(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const separator = argument(arguments, 0, "d");
    const Value* const attribute = argument(arguments, 1, "attribute");
    const Text between = separator ? toText(*separator, caller.meter()) : Text::of("");
    Text out = Text::of("");
    bool isFirst = true;
    for (const Value& item : valueElements(subject, caller.meter())) {
        if (!std::exchange(isFirst, false)) out.append(between);
        out.append(toText(attribute && !attribute->isNone() ? path(item, *attribute, caller.meter()) : item, caller.meter()));
        caller.meter().pay(between.bytes.size() + 8);
    }
    return Value::of(std::move(out));
}

Value safe(const Value& subject, Arguments&, Caller& caller) {
    Text text = toText(subject, caller.meter());
    text.isMarkup = true;
    return Value::of(std::move(text));
}

template <std::string (*change)(const std::string&)>
Value changed(const Value& subject, Arguments&, Caller& caller) {
    const Text text = toText(subject, caller.meter());
    caller.meter().pay(text.bytes.size() * 2);
    return Value::of(text.changed(change(text.bytes)));
}

std::string escapedText(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const char* const entity = c == '&'    ? "&amp;"
                                   : c == '<'  ? "&lt;"
                                   : c == '>'  ? "&gt;"
                                   : c == '\'' ? "&#39;"
                                   : c == '"'  ? "&#34;"
                                               : nullptr;
        entity ? out += entity : out += c;
    }
    return out;
}

Value escape(const Value& subject, Arguments&, Caller& caller) {
    const Text text = toText(subject, caller.meter());
    if (text.isMarkup) return Value::of(text);
    caller.meter().pay(text.bytes.size() * 6);
    Text out = text.changed(escapedText(text.bytes));
    out.isMarkup = true;
    return Value::of(std::move(out));
}

// Sorts a list of values by a key of each.
List sortedBy(List values, const std::function<Value(const Value&)>& keyOfItem, bool reverse, Meter& meter) {
    std::vector<std::pair<Value, Value>> keyed;
    for (Value& value : values) {
        Value key = keyOfItem(value);
        keyed.emplace_back(std::move(key), std::move(value));
    }
    meter.pay(keyed.size() * 64);
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return reverse ? less(b.first, a.first, meter) : less(a.first, b.first, meter);
    });
    List out;
    for (auto& [key, value] : keyed) out.push_back(std::move(value));
    return out;
}

Value dictSort(const Value& subject, Arguments& arguments, Caller& caller) {
    const Dict* const dict = subject.dict();
    if (!dict) failType("'" + subject.typeName() + "' object has no items");
    const bool caseSensitive = flag(arguments, 0, "case_sensitive");
    const std::size_t by = word(arguments, 1, "by", "key") == "value" ? 1 : 0;
    List pairs;
    for (const auto& [key, value] : dict->members()) pairs.push_back(Value::tuple({key, value}));
    const auto key = [&](const Value& pair) { return attributeKey((*pair.items())[by], nullptr, caseSensitive, caller.meter()); };
    return Value::of(sortedBy(std::move(pairs), key, flag(arguments, 2, "reverse"), caller.meter()));
}

// Of several attributes, "role,name", a tuple.
Value itemSortKey(const Value& item, const Value* attribute, bool caseSensitive, Meter& meter) {
    if (!attribute || !attribute->text() || attribute->text()->bytes.find(',') == std::string::npos)
        return attributeKey(item, attribute, caseSensitive, meter);
    const Value comma = Value::of(",");
    List keys;
    for (const Value& name : splitText(*attribute->text(), &comma, -1, false, meter))
        keys.push_back(attributeKey(item, &name, caseSensitive, meter));
    return Value::tuple(std::move(keys));
}

Value sort(const Value& subject, Arguments& arguments, Caller& caller) {
    const bool caseSensitive = flag(arguments, 1, "case_sensitive");
    const Value* const attribute = argument(arguments, 2, "attribute");
    const auto key = [&](const Value& item) { return itemSortKey(item, attribute, caseSensitive, caller.meter()); };
    return Value::of(sortedBy(valueElements(subject, caller.meter()), key, flag(arguments, 0, "reverse"), caller.meter()));
}

template <bool largest>
Value extreme(const Value& subject, Arguments& arguments, Caller& caller) {
    const bool caseSensitive = flag(arguments, 0, "case_sensitive");
    const Value* const attribute = argument(arguments, 1, "attribute");
    const List values = valueElements(subject, caller.meter());
    if (values.empty()) return Value::undefined("No aggregated item, sequence was empty.");
    const Value* best = nullptr;
    Value bestKey;
    for (const Value& value : values) {
        Value key = attributeKey(value, attribute, caseSensitive, caller.meter());
        if (best && !(largest ? less(bestKey, key, caller.meter()) : less(key, bestKey, caller.meter()))) continue;
        best = &value;
        bestKey = std::move(key);
    }
    return *best;
}

Value unique(const Value& subject, Arguments& arguments, Caller& caller) {
    const bool caseSensitive = flag(arguments, 0, "case_sensitive");
    const Value* const attribute = argument(arguments, 1, "attribute");
    List out;
    List seen;
    for (const Value& value : valueElements(subject, caller.meter())) {
        Value key = attributeKey(value, attribute, caseSensitive, caller.meter());
        if (std::ranges::any_of(seen, [&](const Value& other) { return equal(other, key, caller.meter()); })) continue;
        seen.push_back(std::move(key));
        out.push_back(value);
    }
    return Value::of(std::move(out));
}

Value groupBy(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const attribute = argument(arguments, 0, "attribute");
    if (!attribute) failType("groupby needs an attribute");
    const auto key = [&](const Value& item) { return attributeKey(item, attribute, true, caller.meter()); };
    List out;
    List group;
    Value groupKey;
    const auto finish = [&] {
        if (!group.empty()) out.push_back(Value::tuple({groupKey, Value::of(std::exchange(group, {}))}));
    };
    for (const Value& item : sortedBy(valueElements(subject, caller.meter()), key, false, caller.meter())) {
        Value itemKey = key(item);
        if (group.empty() || !equal(itemKey, groupKey, caller.meter())) {
            finish();
            groupKey = std::move(itemKey);
        }
        group.push_back(item);
    }
    finish();
    return Value::of(std::move(out));
}

Value replace(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const from = argument(arguments, 0, "old");
    const Value* const to = argument(arguments, 1, "new");
    if (!from || !to) failType("replace needs the old and the new text");
    Text out = replaced(toText(subject, caller.meter()), toText(*from, caller.meter()), toText(*to, caller.meter()),
                        whole(arguments, 2, "count", -1), caller.meter());
    out.isMarkup = false;
    return Value::of(std::move(out));
}

Value list(const Value& subject, Arguments&, Caller& caller) { return Value::of(valueElements(subject, caller.meter())); }

Value indent(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const width = argument(arguments, 0, "width");
    const Text filling =
        width && width->text()
            ? *width->text()
            : Text::of(
                  std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(whole(arguments, 0, "width", 4), 0, 10'000)), ' '));
    const bool first = flag(arguments, 1, "first");
    const bool blank = flag(arguments, 2, "blank");
    const Text text = toText(subject, caller.meter());
    Text out = Text::of("");
    for (std::size_t at = 0; at <= text.bytes.size();) {
        const std::size_t end = std::min(text.bytes.find('\n', at), text.bytes.size());
        const bool fills = at == 0 ? first : (blank || end > at);
        if (fills) out.append(filling);
        out.append(text.cut(at, std::min(end + 1, text.bytes.size())));
        caller.meter().pay(end - at + filling.bytes.size() + 8 + text.literal.size());
        at = end + 1;
    }
    return Value::of(std::move(out));
}

Value integer(const Value& subject, Arguments& arguments, Caller&) {
    const std::int64_t otherwise = whole(arguments, 0, "default", 0);
    const std::int64_t base = whole(arguments, 1, "base", 10);
    if (subject.integer()) return subject;
    if (subject.isNumber()) {
        const double v = std::trunc(subject.number());
        return std::abs(v) < 9.2e18 ? Value::of(static_cast<std::int64_t>(v)) : Value::of(otherwise);
    }
    if (!subject.text() || base < 2 || base > 36) return Value::of(otherwise);
    std::string text = stripped(*subject.text(), std::nullopt, true, true).bytes;
    if (text.starts_with('+')) text.erase(0, 1);
    if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.erase(0, 2);
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value, static_cast<int>(base));
    if (result.ec == std::errc() && result.ptr == text.data() + text.size() && !text.empty()) return Value::of(value);
    const auto real = parseDouble(text);
    return real && std::abs(*real) < 9.2e18 ? Value::of(static_cast<std::int64_t>(*real)) : Value::of(otherwise);
}

Value real(const Value& subject, Arguments& arguments, Caller&) {
    const Value* const given = argument(arguments, 0, "default");
    if (subject.isNumber()) return Value::of(subject.number());
    const auto parsed = subject.text() ? parseDouble(stripped(*subject.text(), std::nullopt, true, true).bytes) : std::nullopt;
    return parsed ? Value::of(*parsed) : given ? *given : Value::of(0.0);
}

Value absolute(const Value& subject, Arguments&, Caller&) {
    requireDefined(subject);
    if (!subject.isNumber()) failType("bad operand type for abs(): '" + subject.typeName() + "'");
    if (subject.real()) return Value::of(std::abs(*subject.real()));
    const std::int64_t v = subject.integer() ? *subject.integer() : *subject.boolean() ? 1 : 0;
    return Value::of(v < 0 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v)) : v);
}

Value round(const Value& subject, Arguments& arguments, Caller&) {
    if (!subject.isNumber()) failType("type " + subject.typeName() + " doesn't define __round__ method");
    const double scale =
        std::pow(10.0, static_cast<double>(std::clamp<std::int64_t>(whole(arguments, 0, "precision", 0), -300, 300)));
    const std::string method = word(arguments, 1, "method", "common");
    const double scaled = subject.number() * scale;
    return Value::of((method == "ceil"    ? std::ceil(scaled)
                      : method == "floor" ? std::floor(scaled)
                                          : std::nearbyint(scaled)) /
                     scale);
}

Value sum(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const attribute = argument(arguments, 0, "attribute");
    const Value* const start = argument(arguments, 1, "start");
    Value total = start ? *start : Value::of(std::int64_t{0});
    for (const Value& item : valueElements(subject, caller.meter()))
        total =
            binary("+", total, attribute && !attribute->isNone() ? path(item, *attribute, caller.meter()) : item, caller.meter());
    return total;
}

Value first(const Value& subject, Arguments&, Caller& caller) {
    const List values = valueElements(subject, caller.meter());
    return values.empty() ? Value::undefined("No first item, sequence was empty.") : values.front();
}

Value last(const Value& subject, Arguments&, Caller& caller) {
    const List values = valueElements(subject, caller.meter());
    return values.empty() ? Value::undefined("No last item, sequence was empty.") : values.back();
}

Value reverse(const Value& subject, Arguments&, Caller& caller) {
    if (subject.text()) return getSlice(subject, Value::none(), Value::none(), Value::of(std::int64_t{-1}), caller.meter());
    List values = valueElements(subject, caller.meter());
    std::ranges::reverse(values);
    return Value::of(std::move(values));
}

Value batch(const Value& subject, Arguments& arguments, Caller& caller) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(whole(arguments, 0, "linecount", 1), 1));
    const Value* const filling = argument(arguments, 1, "fill_with");
    List out;
    List part;
    for (const Value& value : valueElements(subject, caller.meter())) {
        part.push_back(value);
        if (part.size() == size) out.push_back(Value::of(std::exchange(part, {})));
    }
    if (!part.empty()) {
        if (filling && !filling->isNone()) {
            caller.meter().pay((size - part.size()) * 32);
            part.resize(size, *filling);
        }
        out.push_back(Value::of(std::move(part)));
    }
    return Value::of(std::move(out));
}

Value slice(const Value& subject, Arguments& arguments, Caller& caller) {
    const auto slices = static_cast<std::size_t>(std::clamp<std::int64_t>(whole(arguments, 0, "slices", 1), 1, 100'000));
    const Value* const filling = argument(arguments, 1, "fill_with");
    const List values = valueElements(subject, caller.meter());
    caller.meter().pay(slices * 64);
    const std::size_t each = values.size() / slices;
    const std::size_t longer = values.size() % slices;
    List out;
    std::size_t at = 0;
    for (std::size_t i = 0; i < slices; ++i) {
        const std::size_t end = at + each + (i < longer ? 1 : 0);
        List part(values.begin() + static_cast<std::ptrdiff_t>(at), values.begin() + static_cast<std::ptrdiff_t>(end));
        if (filling && !filling->isNone() && i >= longer) part.push_back(*filling);
        out.push_back(Value::of(std::move(part)));
        at = end;
    }
    return Value::of(std::move(out));
}

Value truncate(const Value& subject, Arguments& arguments, Caller& caller) {
    const std::int64_t limit = whole(arguments, 0, "length", 255);
    const bool killWords = flag(arguments, 1, "killwords");
    const std::string ending = word(arguments, 2, "end", "...");
    const std::int64_t leeway = whole(arguments, 3, "leeway", 5);
    const Text text = toText(subject, caller.meter());
    if (characterCount(text.bytes) <= limit + leeway) return Value::of(text);
    const Value kept =
        getSlice(Value::of(text), Value::none(), Value::of(std::max<std::int64_t>(limit - characterCount(ending), 0)),
                 Value::none(), caller.meter());
    Text out = *kept.text();
    if (!killWords)
        if (const std::size_t blank = out.bytes.rfind(' '); blank != std::string::npos) out = out.cut(0, blank);
    out.append(ending);
    return Value::of(std::move(out));
}

Value wordCount(const Value& subject, Arguments&, Caller& caller) {
    const Text text = toText(subject, caller.meter());
    return Value::of(static_cast<std::int64_t>(splitText(text, nullptr, -1, false, caller.meter()).size()));
}

Value center(const Value& subject, Arguments& arguments, Caller& caller) {
    if (arguments.positional.empty()) arguments.positional.push_back(Value::of(whole(arguments, 0, "width", 80)));
    const auto method = findMethod(Value::of(toText(subject, caller.meter())), "center");
    return method->object()->call(arguments, caller.meter());
}

Value urlEncode(const Value& subject, Arguments&, Caller& caller) {
    const Text text = toText(subject, caller.meter());
    caller.meter().pay(text.bytes.size() * 3);
    std::string out;
    for (const char c : text.bytes) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-_.~/").find(c) != std::string_view::npos;
        plain ? out += c : out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return Value::of(text.changed(std::move(out)));
}

Value format(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value values = arguments.positional.size() == 1 ? arguments.positional.front() : Value::tuple(arguments.positional);
    return binary("%", Value::of(toText(subject, caller.meter())), values, caller.meter());
}

Value attr(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const name = argument(arguments, 0, "name");
    if (!name || !name->text()) failType("attr needs the name of an attribute");
    if (subject.dict() && !findMethod(subject, name->text()->bytes))
        return Value::undefined("'dict object' has no attribute '" + name->text()->bytes + "'");
    return getAttribute(subject, name->text()->bytes, caller.meter());
}

// map, select and their kind take none and every other false value as an empty list, as Jinja2 does.
List elementsIfTrue(const Value& subject, Meter& meter) { return subject.isTrue() ? valueElements(subject, meter) : List(); }

Value map(const Value& subject, Arguments& arguments, Caller& caller) {
    const Value* const attribute = argument(arguments, std::string::npos, "attribute");
    const Value* const otherwise = argument(arguments, std::string::npos, "default");
    List out;
    for (const Value& item : elementsIfTrue(subject, caller.meter())) {
        caller.meter().pay(32);
        if (attribute) {
            Value found = path(item, *attribute, caller.meter());
            out.push_back(found.undefined() && otherwise ? *otherwise : std::move(found));
        } else {
            if (arguments.positional.empty() || !arguments.positional[0].text()) failTemplate("map requires a filter argument");
            Arguments rest{{arguments.positional.begin() + 1, arguments.positional.end()}, arguments.named};
            out.push_back(caller.filter(arguments.positional[0].text()->bytes, item, std::move(rest)));
        }
    }
    return Value::of(std::move(out));
}

// select, reject: by a test of each value; selectattr, rejectattr: of an attribute of each.
template <bool keeps, bool byAttribute>
Value select(const Value& subject, Arguments& arguments, Caller& caller) {
    constexpr std::size_t skipped = byAttribute ? 1 : 0;
    if (arguments.positional.size() < skipped) failTemplate("Missing parameter for attribute name");
    const bool hasTest = arguments.positional.size() > skipped;
    if (hasTest && !arguments.positional[skipped].text()) failTemplate("the name of a test is expected");
    const std::string test = hasTest ? arguments.positional[skipped].text()->bytes : std::string();
    const Arguments rest{
        {arguments.positional.begin() + static_cast<std::ptrdiff_t>(skipped + hasTest), arguments.positional.end()}, {}};
    List out;
    for (const Value& item : elementsIfTrue(subject, caller.meter())) {
        caller.meter().pay(32);
        const Value tested = byAttribute ? path(item, arguments.positional[0], caller.meter()) : item;
        if ((hasTest ? caller.test(test, tested, rest) : tested.isTrue()) == keeps) out.push_back(item);
    }
    return Value::of(std::move(out));
}

struct NamedFilter {
    std::string_view name;
    Filter filter;
};

constexpr NamedFilter filters[] = {
    {"tojson", toJsonFilter},
    {"from_json", fromJsonFilter},
    {"length", length},
    {"count", length},
    {"trim", trim},
    {"default", defaultFilter},
    {"d", defaultFilter},
    {"string", string},
    {"items", items},
    {"join", join},
    {"safe", safe},
    {"lower", changed<lowerCase>},
    {"upper", changed<upperCase>},
    {"title", changed<titleCase>},
    {"capitalize", changed<capitalized>},
    {"escape", escape},
    {"e", escape},
    {"dictsort", dictSort},
    {"sort", sort},
    {"min", extreme<false>},
    {"max", extreme<true>},
    {"unique", unique},
    {"groupby", groupBy},
    {"replace", replace},
    {"list", list},
    {"indent", indent},
    {"int", integer},
    {"float", real},
    {"abs", absolute},
    {"round", round},
    {"sum", sum},
    {"first", first},
    {"last", last},
    {"reverse", reverse},
    {"batch", batch},
    {"slice", slice},
    {"truncate", truncate},
    {"wordcount", wordCount},
    {"center", center},
    {"urlencode", urlEncode},
    {"format", format},
    {"attr", attr},
    {"map", map},
    {"select", select<true, false>},
    {"reject", select<false, false>},
    {"selectattr", select<true, true>},
    {"rejectattr", select<false, true>},
};

const NamedFilter* findFilter(std::string_view name) {
    const auto found = std::ranges::find(filters, name, &NamedFilter::name);
    return found == std::end(filters) ? nullptr : found;
}

} // namespace

bool isFilter(std::string_view name) { return findFilter(name) != nullptr; }

Value applyFilter(std::string_view name, const Value& subject, Arguments& arguments, Caller& caller) {
    const NamedFilter* const found = findFilter(name);
    if (!found) failTemplate("there is no filter named '" + std::string(name) + "'");
    return found->filter(subject, arguments, caller);
}

} // namespace wb::text::jinja

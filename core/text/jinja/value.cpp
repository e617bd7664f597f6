// SPDX-License-Identifier: MIT
#include "core/text/jinja/value.h"

#include "core/text/utf8.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cmath>

namespace wb::text::jinja {

const char* name(FailureClass failureClass) {
    switch (failureClass) {
    case FailureClass::Template: return "TemplateError";
    case FailureClass::Undefined: return "UndefinedError";
    case FailureClass::Type: return "TypeError";
    case FailureClass::Security: return "SecurityError";
    }
    return "TemplateError";
}

std::optional<Value> Object::attribute(std::string_view) { return std::nullopt; }
bool Object::setAttribute(std::string_view, Value) { return false; }
Value Object::call(Arguments&, Meter&) { failType("'" + typeName() + "' object is not callable"); }

Value Value::of(Dict v) { return Value(Data(std::make_shared<const Dict>(std::move(v)))); }

double Value::number() const {
    if (const bool* const b = boolean()) return *b ? 1 : 0;
    if (const auto* const i = integer()) return static_cast<double>(*i);
    return real() ? *real() : 0;
}

const Text* Value::text() const {
    const auto* const found = std::get_if<std::shared_ptr<const Text>>(&m_data);
    return found ? found->get() : nullptr;
}

const List* Value::list() const {
    const auto* const found = std::get_if<std::shared_ptr<const List>>(&m_data);
    return found ? found->get() : nullptr;
}

const List* Value::items() const {
    if (const auto* const tuple = std::get_if<Tuple>(&m_data)) return tuple->items.get();
    if (const Range* const found = range()) return found->items.get();
    return list();
}

const Dict* Value::dict() const {
    const auto* const found = std::get_if<std::shared_ptr<const Dict>>(&m_data);
    return found ? found->get() : nullptr;
}

Object* Value::object() const {
    const auto* const found = std::get_if<std::shared_ptr<Object>>(&m_data);
    return found ? found->get() : nullptr;
}

bool Value::isTrue() const {
    if (undefined() || isNone()) return false;
    if (isNumber()) return number() != 0;
    if (const Text* const t = text()) return !t->bytes.empty();
    if (const List* const l = items()) return !l->empty();
    if (const Dict* const d = dict()) return !d->empty();
    return true;
}

std::string Value::typeName() const {
    if (undefined()) return "Undefined";
    if (isNone()) return "NoneType";
    if (boolean()) return "bool";
    if (integer()) return "int";
    if (real()) return "float";
    if (text()) return "str";
    if (list()) return "list";
    if (isTuple()) return "tuple";
    if (range()) return "range";
    if (dict()) return "dict";
    return object()->typeName();
}

namespace {

// Keys that are equal to one integer share it, as 1, 1.0 and True do.
bool sameKey(const Value& a, const Value& b) {
    if (a.isNumber() && b.isNumber()) return a.number() == b.number();
    if (a.text() && b.text()) return a.text()->bytes == b.text()->bytes;
    if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
    if (a.isTuple() && b.isTuple()) return std::ranges::equal(*a.items(), *b.items(), sameKey);
    return false;
}

} // namespace

const Value* Dict::find(std::string_view key) const {
    const auto found = m_texts.find(std::string(key));
    return found == m_texts.end() ? nullptr : &m_members[found->second].second;
}

const Value* Dict::find(const Value& key) const {
    if (key.text()) return find(std::string_view(key.text()->bytes));
    const auto found = std::ranges::find_if(m_members, [&](const auto& member) { return sameKey(member.first, key); });
    return found == m_members.end() ? nullptr : &found->second;
}

void Dict::set(Value key, Value value) {
    if (const Value* const known = find(key)) {
        const auto same = key.text() ? m_members.begin() + static_cast<std::ptrdiff_t>(m_texts.at(key.text()->bytes))
                                     : std::ranges::find_if(m_members, [&](const auto& member) { return &member.second == known; });
        same->second = std::move(value);
        return;
    }
    if (key.text()) m_texts.emplace(key.text()->bytes, m_members.size());
    else if (key.list() || key.dict()) failType("unhashable type: '" + key.typeName() + "'");
    m_members.emplace_back(std::move(key), std::move(value));
}

bool equal(const Value& a, const Value& b, Meter& meter) {
    const Meter::Level level(meter);
    meter.pay();
    if (a.undefined() || b.undefined()) return a.undefined() && b.undefined();
    if (a.isNumber() && b.isNumber()) {
        if (a.integer() && b.integer()) return *a.integer() == *b.integer();
        return a.number() == b.number();
    }
    if (a.text() && b.text()) {
        meter.pay(std::min(a.text()->bytes.size(), b.text()->bytes.size()));
        return a.text()->bytes == b.text()->bytes;
    }
    if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
    if (a.items() && b.items() && a.isTuple() == b.isTuple())
        return a.items()->size() == b.items()->size() &&
               std::ranges::equal(*a.items(), *b.items(), [&](const Value& x, const Value& y) { return equal(x, y, meter); });
    if (a.dict() && b.dict()) {
        if (a.dict()->size() != b.dict()->size()) return false;
        return std::ranges::all_of(a.dict()->members(), [&](const auto& member) {
            const Value* const other = b.dict()->find(member.first);
            return other && equal(member.second, *other, meter);
        });
    }
    return a.object() && a.object() == b.object();
}

bool less(const Value& a, const Value& b, Meter& meter) {
    const Meter::Level level(meter);
    meter.pay();
    if (a.undefined()) throw Failure{a.undefined()->failureClass, a.undefined()->message, 0};
    if (b.undefined()) throw Failure{b.undefined()->failureClass, b.undefined()->message, 0};
    if (a.integer() && b.integer()) return *a.integer() < *b.integer();
    if (a.isNumber() && b.isNumber()) return a.number() < b.number();
    if (a.text() && b.text()) {
        meter.pay(std::min(a.text()->bytes.size(), b.text()->bytes.size()));
        return a.text()->bytes < b.text()->bytes; // the order of UTF-8 is that of code points
    }
    if (a.items() && b.items() && a.isTuple() == b.isTuple()) {
        const std::size_t count = std::min(a.items()->size(), b.items()->size());
        for (std::size_t i = 0; i < count; ++i)
            if (!equal((*a.items())[i], (*b.items())[i], meter)) return less((*a.items())[i], (*b.items())[i], meter);
        return a.items()->size() < b.items()->size();
    }
    failType("'<' not supported between instances of '" + a.typeName() + "' and '" + b.typeName() + "'");
}

std::string numberText(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

namespace {

bool isPrintable(char32_t c) {
    if (c == ' ') return true;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS: return false;
    default: return true;
    }
}

std::string quoted(const std::string& text) {
    const bool doubleQuotes = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
    const char quote = doubleQuotes ? '"' : '\'';
    std::string out(1, quote);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char32_t c = nextCodePoint(text, at);
        if (c == static_cast<unsigned char>(quote) || c == '\\') (out += '\\') += static_cast<char>(c);
        else if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else if (c == '\t') out += "\\t";
        else if (isPrintable(c)) out += text.substr(begin, at - begin);
        else if (c < 0x100) out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
        else if (c < 0x10000) out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        else out += fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c));
    }
    return out + quote;
}

std::string joinedReprs(const List& items, Meter& meter) {
    std::string out;
    for (const Value& item : items) {
        if (&item != &items.front()) out += ", ";
        out += toRepr(item, meter);
        meter.pay(out.size() / 64 + 1);
    }
    return out;
}

} // namespace

std::string toRepr(const Value& value, Meter& meter) {
    const Meter::Level level(meter);
    meter.pay();
    if (value.undefined()) return "Undefined";
    if (value.isNone()) return "None";
    if (const bool* const b = value.boolean()) return *b ? "True" : "False";
    if (const auto* const i = value.integer()) return fmt::format("{}", *i);
    if (const double* const r = value.real()) return numberText(*r);
    if (const Text* const t = value.text()) {
        meter.pay(t->bytes.size());
        return quoted(t->bytes);
    }
    if (const auto* const range = value.range()) return range->text;
    if (value.isTuple()) return '(' + joinedReprs(*value.items(), meter) + (value.items()->size() == 1 ? ",)" : ")");
    if (value.list()) return '[' + joinedReprs(*value.list(), meter) + ']';
    if (const Dict* const d = value.dict()) {
        std::string out = "{";
        for (const auto& [key, item] : d->members()) {
            if (out.size() > 1) out += ", ";
            out += toRepr(key, meter) + ": " + toRepr(item, meter);
        }
        meter.pay(out.size());
        return out + '}';
    }
    return '<' + value.typeName() + '>';
}

Text toText(const Value& value, Meter& meter) {
    if (value.undefined()) return Text::of("");
    if (const Text* const t = value.text()) {
        meter.pay(t->bytes.size());
        return *t;
    }
    // The parts of a container may be a user's; what it prints is then the user's as a whole.
    const bool isContainer = value.items() || value.dict();
    std::string repr = toRepr(value, meter);
    return isContainer ? Text::literalText(std::move(repr)) : Text::of(std::move(repr));
}

List valueElements(const Value& value, Meter& meter) {
    if (value.undefined()) {
        if (value.undefined()->failureClass == FailureClass::Security) failSecurity(value.undefined()->message);
        return {};
    }
    if (const List* const items = value.items()) {
        meter.pay(items->size() * 8);
        return *items;
    }
    List out;
    if (const Dict* const d = value.dict()) {
        for (const auto& member : d->members()) out.push_back(member.first);
    } else if (const Text* const t = value.text()) {
        for (std::size_t at = 0; at < t->bytes.size();) {
            const std::size_t begin = at;
            nextCodePoint(t->bytes, at);
            meter.pay(64);
            out.push_back(Value::of(t->cut(begin, at)));
        }
    } else {
        failType("'" + value.typeName() + "' object is not iterable");
    }
    meter.pay(out.size() * 8);
    return out;
}

namespace {

class JsonWriter {
public:
    JsonWriter(const JsonStyle& style, Meter& meter) : m_style(style), m_meter(meter) {
        const auto defaults =
            style.indent ? std::pair<std::string, std::string>(",", ": ") : std::pair<std::string, std::string>(", ", ": ");
        m_separators = style.separators.value_or(defaults);
    }

    std::string write(const Value& value) {
        add(value, 0);
        m_meter.pay(m_out.size());
        return std::move(m_out);
    }

private:
    void newLine(unsigned depth) {
        if (!m_style.indent) return;
        m_out += '\n';
        m_out.append(static_cast<std::size_t>(*m_style.indent) * depth, ' ');
        m_meter.pay(static_cast<std::uint64_t>(*m_style.indent) * depth);
    }

    void add(const Value& value, unsigned depth) {
        const Meter::Level level(m_meter);
        m_meter.pay();
        if (value.isNone()) m_out += "null";
        else if (const bool* const b = value.boolean()) m_out += *b ? "true" : "false";
        else if (const auto* const i = value.integer()) m_out += fmt::format("{}", *i);
        else if (const double* const r = value.real()) m_out += realText(*r);
        else if (const Text* const t = value.text()) addString(t->bytes);
        else if (value.items() && !value.range()) addArray(*value.items(), depth);
        else if (const Dict* const d = value.dict()) addObject(*d, depth);
        else failType("Object of type " + value.typeName() + " is not JSON serializable");
    }

    static std::string realText(double value) {
        return std::isnan(value) ? "NaN" : std::isinf(value) ? (value > 0 ? "Infinity" : "-Infinity") : numberText(value);
    }

    void addArray(const List& items, unsigned depth) {
        m_out += '[';
        for (const Value& item : items) {
            if (&item != &items.front()) m_out += m_separators.first;
            newLine(depth + 1);
            add(item, depth + 1);
        }
        if (!items.empty()) newLine(depth);
        m_out += ']';
    }

    void addObject(const Dict& dict, unsigned depth) {
        auto members = dict.members();
        m_meter.pay(members.size() * 16);
        if (m_style.sortKeys)
            std::ranges::stable_sort(members, [&](const auto& a, const auto& b) { return less(a.first, b.first, m_meter); });
        m_out += '{';
        bool isFirst = true;
        for (const auto& [key, item] : members) {
            if (!std::exchange(isFirst, false)) m_out += m_separators.first;
            newLine(depth + 1);
            addString(keyText(key));
            m_out += m_separators.second;
            add(item, depth + 1);
        }
        if (!members.empty()) newLine(depth);
        m_out += '}';
    }

    static std::string keyText(const Value& key) {
        if (const Text* const t = key.text()) return t->bytes;
        if (key.isNone()) return "null";
        if (const bool* const b = key.boolean()) return *b ? "true" : "false";
        if (const auto* const i = key.integer()) return fmt::format("{}", *i);
        if (const double* const r = key.real()) return realText(*r);
        failType("keys must be str, int, float, bool or None, not " + key.typeName());
    }

    void addEscaped(char32_t c) {
        if (c < 0x10000) m_out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        else
            m_out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((static_cast<std::uint32_t>(c) - 0x10000) >> 10),
                                 0xDC00 + (static_cast<std::uint32_t>(c) & 0x3FF));
    }

    void addString(const std::string& text) {
        m_meter.pay(text.size());
        m_out += '"';
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t begin = at;
            const char32_t c = nextCodePoint(text, at);
            switch (c) {
            case '"': m_out += "\\\""; break;
            case '\\': m_out += "\\\\"; break;
            case '\b': m_out += "\\b"; break;
            case '\f': m_out += "\\f"; break;
            case '\n': m_out += "\\n"; break;
            case '\r': m_out += "\\r"; break;
            case '\t': m_out += "\\t"; break;
            default:
                if (c < 0x20 || (m_style.ensureAscii && c > 0x7E)) addEscaped(c);
                else m_out.append(text, begin, at - begin);
            }
        }
        m_out += '"';
    }

    const JsonStyle& m_style;
    Meter& m_meter;
    std::pair<std::string, std::string> m_separators;
    std::string m_out;
};

} // namespace

std::string toJson(const Value& value, const JsonStyle& style, Meter& meter) {
    if (value.undefined()) failType("Object of type Undefined is not JSON serializable");
    return JsonWriter(style, meter).write(value);
}

} // namespace wb::text::jinja

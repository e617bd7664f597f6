// SPDX-License-Identifier: MIT
#include "core/text/jinja/interpreter.h"

#include <fmt/format.h>

#include <array>

namespace wb::text::jinja {
namespace {

// A function with state that is its own, or none.
class Function final : public Object {
public:
    using Body = std::function<Value(Arguments&, Meter&)>;
    explicit Function(Body body) : m_body(std::move(body)) {}
    std::string typeName() const override { return "function"; }
    bool isCallable() const override { return true; }
    Value call(Arguments& arguments, Meter& meter) override { return m_body(arguments, meter); }

private:
    Body m_body;
};

Value function(Function::Body body) {
    return Value::of(std::static_pointer_cast<Object>(std::make_shared<Function>(std::move(body))));
}

// namespace(a=1): the one kind of value whose attributes a template may set.
class Namespace final : public Object {
public:
    std::string typeName() const override { return "Namespace"; }
    std::optional<Value> attribute(std::string_view name) override {
        const auto found = m_members.find(name);
        return found == m_members.end() ? std::nullopt : std::optional(found->second);
    }
    bool setAttribute(std::string_view name, Value value) override {
        m_members.insert_or_assign(std::string(name), std::move(value));
        return true;
    }

private:
    std::map<std::string, Value, std::less<>> m_members;
};

// cycler("a", "b"): next() and current.
class Cycler final : public Object, public std::enable_shared_from_this<Cycler> {
public:
    explicit Cycler(List items) : m_items(std::move(items)) {}
    std::string typeName() const override { return "Cycler"; }
    std::optional<Value> attribute(std::string_view name) override {
        if (name == "current") return m_items[m_at];
        if (name == "next")
            return function([self = shared_from_this()](Arguments&, Meter&) {
                const Value now = self->m_items[self->m_at];
                self->m_at = (self->m_at + 1) % self->m_items.size();
                return now;
            });
        if (name == "reset")
            return function([self = shared_from_this()](Arguments&, Meter&) {
                self->m_at = 0;
                return Value::none();
            });
        return std::nullopt;
    }

private:
    List m_items;
    std::size_t m_at = 0;
};

std::int64_t valueWhole(const Value& v) {
    requireDefined(v);
    if (!v.integer()) failType("'" + v.typeName() + "' object cannot be interpreted as an integer");
    return *v.integer();
}

Value range(Arguments& arguments, Meter& meter) {
    const auto& given = arguments.positional;
    if (given.empty() || given.size() > 3) failType("range expected 1 to 3 arguments");
    const std::int64_t begin = given.size() > 1 ? valueWhole(given[0]) : 0;
    const std::int64_t end = valueWhole(given[given.size() > 1 ? 1 : 0]);
    const std::int64_t step = given.size() > 2 ? valueWhole(given[2]) : 1;
    if (step == 0) failTemplate("range() arg 3 must not be zero");
    List out;
    for (std::int64_t v = begin; step > 0 ? v < end : v > end;) {
        if (out.size() >= meter.bounds().range)
            failTemplate(fmt::format("range() makes more than {} values", meter.bounds().range));
        out.push_back(Value::of(v));
        if (step > 0 ? v > end - step : v < end - step) break;
        v += step;
    }
    meter.pay(out.size() * 32);
    const std::string text =
        given.size() > 2 ? fmt::format("range({}, {}, {})", begin, end, step) : fmt::format("range({}, {})", begin, end);
    return Value(Value::Range{std::make_shared<const List>(std::move(out)), text});
}

// The pairs that dict() and namespace() take: a dict or pairs by position, others by name.
Dict argumentsDict(Arguments& arguments, Meter& meter) {
    Dict out;
    const auto add = [&](const Value& key, const Value& value) {
        meter.pay(64 + (key.text() ? 0 : out.size()));
        out.set(key, value);
    };
    for (const Value& given : arguments.positional) {
        if (given.dict()) {
            for (const auto& [key, value] : given.dict()->members()) add(key, value);
            continue;
        }
        for (const Value& pair : valueElements(given, meter)) {
            if (!pair.items() || pair.items()->size() != 2) failType("dict() needs pairs");
            add((*pair.items())[0], (*pair.items())[1]);
        }
    }
    for (const auto& [name, value] : arguments.named) add(Value::of(name), value);
    return out;
}

Value makeNamespace(Arguments& arguments, Meter& meter) {
    const auto made = std::make_shared<Namespace>();
    const Dict members = argumentsDict(arguments, meter);
    for (const auto& [key, value] : members.members()) made->setAttribute(toText(key, meter).bytes, value);
    return Value::of(std::static_pointer_cast<Object>(made));
}

Value makeCycler(Arguments& arguments, Meter&) {
    if (arguments.positional.empty()) failType("at least one item has to be provided");
    return Value::of(std::static_pointer_cast<Object>(std::make_shared<Cycler>(arguments.positional)));
}

// joiner(", "): "" the first time it is called, the separator then.
Value makeJoiner(Arguments& arguments, Meter&) {
    const Value* const given = argument(arguments, 0, "sep");
    return function([separator = given ? *given : Value::of(", "), used = false](Arguments&, Meter&) mutable {
        return std::exchange(used, true) ? separator : Value::of("");
    });
}

Value raise(Arguments& arguments, Meter& meter) {
    const Value* const message = argument(arguments, 0, "message");
    failTemplate(message ? toText(*message, meter).bytes : "the template refuses the conversation");
}

constexpr std::array<const char*, 7> days = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::array<const char*, 12> months = {"January", "February", "March",     "April",   "May",      "June",
                                                "July",    "August",   "September", "October", "November", "December"};

// strftime in English, whatever the locale; "-" between % and the letter drops leading zeros.
std::string formattedTime(const std::string& format, const std::tm& now) {
    std::string out;
    const auto number = [&](int value, int width, bool plain) {
        out += plain ? fmt::format("{}", value) : fmt::format("{:0{}}", value, width);
    };
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            out += format[i];
            continue;
        }
        const bool plain = format[i + 1] == '-' && i + 2 < format.size();
        i += plain ? 2 : 1;
        const int hour = now.tm_hour % 12 == 0 ? 12 : now.tm_hour % 12;
        switch (format[i]) {
        case 'a': out += std::string(days[static_cast<std::size_t>(now.tm_wday % 7)]).substr(0, 3); break;
        case 'A': out += days[static_cast<std::size_t>(now.tm_wday % 7)]; break;
        case 'b': out += std::string(months[static_cast<std::size_t>(now.tm_mon % 12)]).substr(0, 3); break;
        case 'B': out += months[static_cast<std::size_t>(now.tm_mon % 12)]; break;
        case 'd': number(now.tm_mday, 2, plain); break;
        case 'H': number(now.tm_hour, 2, plain); break;
        case 'I': number(hour, 2, plain); break;
        case 'j': number(now.tm_yday + 1, 3, plain); break;
        case 'm': number(now.tm_mon + 1, 2, plain); break;
        case 'M': number(now.tm_min, 2, plain); break;
        case 'p': out += now.tm_hour < 12 ? "AM" : "PM"; break;
        case 'S': number(now.tm_sec, 2, plain); break;
        case 'y': number(now.tm_year % 100, 2, plain); break;
        case 'Y': number(now.tm_year + 1900, 4, plain); break;
        case 'e': out += fmt::format("{:{}}", now.tm_mday, plain ? 1 : 2); break;
        case 'h': out += std::string(months[static_cast<std::size_t>(now.tm_mon % 12)]).substr(0, 3); break;
        case 'w': number(now.tm_wday, 1, plain); break;
        case 'u': number(now.tm_wday == 0 ? 7 : now.tm_wday, 1, plain); break;
        case 'U': number((now.tm_yday + 7 - now.tm_wday) / 7, 2, plain); break;
        case 'W': number((now.tm_yday + 7 - (now.tm_wday + 6) % 7) / 7, 2, plain); break;
        case 'f': out += "000000"; break; // times have whole seconds
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        case 'Z':
        case 'z': break; // the time has no zone
        case 'D':
        case 'x': out += formattedTime("%m/%d/%y", now); break;
        case 'F': out += formattedTime("%Y-%m-%d", now); break;
        case 'R': out += formattedTime("%H:%M", now); break;
        case 'T':
        case 'X': out += formattedTime("%H:%M:%S", now); break;
        case 'r': out += formattedTime("%I:%M:%S %p", now); break;
        case 'c': out += formattedTime("%a %b %e %H:%M:%S %Y", now); break;
        case '%': out += '%'; break;
        default: (out += '%') += format[i];
        }
    }
    return out;
}

} // namespace

std::vector<std::pair<std::string, Value>> globals(const std::tm& now) {
    return {{"range", function(range)},
            {"dict", function([](Arguments& arguments, Meter& meter) { return Value::of(argumentsDict(arguments, meter)); })},
            {"namespace", function(makeNamespace)},
            {"cycler", function(makeCycler)},
            {"joiner", function(makeJoiner)},
            {"raise_exception", function(raise)},
            {"strftime_now", function([now](Arguments& arguments, Meter& meter) {
                 const Value* const format = argument(arguments, 0, "format");
                 if (!format || !format->text()) failType("strftime_now needs a format");
                 meter.pay(format->text()->bytes.size() * 16);
                 return Value::of(formattedTime(format->text()->bytes, now));
             })}};
}

} // namespace wb::text::jinja

// SPDX-License-Identifier: MIT
#include "core/text/jinja/format_spec.h"
#include "core/text/jinja/interpreter.h"
#include "core/text/jinja/string_tools.h"

#include "core/base/text.h"
#include "core/text/utf8.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

// The methods of Python's str and dict that templates call, bound to their value.
namespace wb::text::jinja {

bool isSpace(char32_t c) {
    return (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0x2028 || c == 0x2029 ||
           (c > 0x7F && utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ZS);
}

namespace {

// Whether every character of the text passes and there is one.
template <typename Test>
bool allCharacters(const std::string& text, const Test& test) {
    for (std::size_t at = 0; at < text.size();)
        if (!test(nextCodePoint(text, at))) return false;
    return !text.empty();
}

bool isLetter(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}
bool isNumeric(char32_t c) {
    const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}
bool isLetterOrDigit(char32_t c) { return isLetter(c) || isNumeric(c); }
bool isDigit(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ND; }

template <typename Map>
std::string mapped(const std::string& text, const Map& map) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) appendUtf8(out, map(nextCodePoint(text, at)));
    return out;
}

char32_t upper(char32_t c) { return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c))); }
char32_t lower(char32_t c) { return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))); }

} // namespace

// One character becomes two if it has no separate capital.
std::string upperCase(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = nextCodePoint(text, at);
        if (c == U'\u00DF') out += "SS";
        else appendUtf8(out, upper(c));
    }
    return out;
}

std::string swappedCase(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char32_t c = nextCodePoint(text, at);
        if (lower(c) == c) out += upperCase(text.substr(begin, at - begin));
        else appendUtf8(out, lower(c));
    }
    return out;
}
std::string lowerCase(const std::string& text) { return mapped(text, lower); }

std::string titleCase(const std::string& text) {
    bool begins = true;
    return mapped(text, [&](char32_t c) {
        const char32_t out = begins ? upper(c) : lower(c);
        begins = !isLetter(c);
        return out;
    });
}

std::string capitalized(const std::string& text) {
    bool first = true;
    return mapped(text, [&](char32_t c) { return std::exchange(first, false) ? upper(c) : lower(c); });
}

Text stripped(const Text& text, const std::optional<std::string>& characters, bool left, bool right) {
    const auto goes = [&](std::size_t begin, std::size_t end) {
        if (characters) return characters->find(text.bytes.substr(begin, end - begin)) != std::string::npos;
        std::size_t at = begin;
        return isSpace(nextCodePoint(text.bytes, at));
    };
    std::size_t begin = 0;
    std::size_t end = text.bytes.size();
    while (left && begin < end) {
        const std::size_t next = std::min(begin + characterBytes(text.bytes[begin]), end);
        if (!goes(begin, next)) break;
        begin = next;
    }
    while (right && end > begin) {
        std::size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(text.bytes[last]) & 0xC0) == 0x80) --last;
        if (!goes(last, end)) break;
        end = last;
    }
    return text.cut(begin, end);
}

Text replaced(const Text& text, const Text& from, const Text& to, std::int64_t count, Meter& meter) {
    Text out = Text::of("");
    out.isMarkup = text.isMarkup;
    std::size_t at = 0;
    if (from.bytes.empty()) { // between all characters, as Python does
        for (std::int64_t n = 0; at <= text.bytes.size() && (count < 0 || n < count); ++n) {
            out.append(to);
            meter.pay(to.bytes.size() + 8);
            if (at == text.bytes.size()) return out;
            const std::size_t next = at + characterBytes(text.bytes[at]);
            out.append(text.cut(at, next));
            at = next;
        }
    } else {
        for (std::int64_t n = 0; count < 0 || n < count; ++n) {
            const std::size_t found = text.bytes.find(from.bytes, at);
            if (found == std::string::npos) break;
            out.append(text.cut(at, found));
            out.append(to);
            meter.pay(found - at + to.bytes.size() + 8 + text.literal.size());
            at = found + from.bytes.size();
        }
    }
    out.append(text.cut(at, text.bytes.size()));
    meter.pay(text.bytes.size());
    return out;
}

List splitText(const Text& text, const Value* separator, std::int64_t maxParts, bool fromRight, Meter& meter) {
    List out;
    const std::string& bytes = text.bytes;
    const auto add = [&](std::size_t begin, std::size_t end) {
        meter.pay(end - begin + 64 + text.literal.size());
        out.push_back(Value::of(text.cut(begin, end)));
    };
    const auto wants = [&] { return maxParts < 0 || static_cast<std::int64_t>(out.size()) < maxParts; };
    if (!separator || separator->isNone()) {
        std::vector<std::pair<std::size_t, std::size_t>> words;
        std::size_t begin = std::string::npos;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t start = at;
            const bool space = isSpace(nextCodePoint(bytes, at));
            if (space && begin != std::string::npos) words.emplace_back(std::exchange(begin, std::string::npos), start);
            if (!space && begin == std::string::npos) begin = start;
        }
        if (begin != std::string::npos) words.emplace_back(begin, bytes.size());
        const auto limit = static_cast<std::size_t>(maxParts < 0 ? words.size() : static_cast<std::size_t>(maxParts));
        if (words.size() <= limit || words.empty()) {
            for (const auto& [from, to] : words) add(from, to);
        } else if (!fromRight) {
            for (std::size_t i = 0; i < limit; ++i) add(words[i].first, words[i].second);
            const Text rest = stripped(text.cut(words[limit].first, bytes.size()), std::nullopt, false, limit == 0);
            out.push_back(Value::of(rest));
        } else {
            add(words.front().first, words[words.size() - limit - 1].second);
            for (std::size_t i = words.size() - limit; i < words.size(); ++i) add(words[i].first, words[i].second);
        }
        return out;
    }
    if (!separator->text()) failType("must be str or None, not " + separator->typeName());
    const std::string& by = separator->text()->bytes;
    if (by.empty()) failTemplate("empty separator");
    if (fromRight) {
        std::size_t end = bytes.size();
        while (wants()) {
            const std::size_t found = end >= by.size() ? bytes.rfind(by, end - by.size()) : std::string::npos;
            if (found == std::string::npos) break;
            add(found + by.size(), end);
            end = found;
        }
        add(0, end);
        std::ranges::reverse(out);
        return out;
    }
    std::size_t at = 0;
    while (wants()) {
        const std::size_t found = bytes.find(by, at);
        if (found == std::string::npos) break;
        add(at, found);
        at = found + by.size();
    }
    add(at, bytes.size());
    return out;
}

namespace {

using Method = Value (*)(const Value& subject, Arguments& arguments, Meter& meter);

const Text& subjectText(const Value& subject) { return *subject.text(); }

const Text& textArgument(const Arguments& arguments, std::size_t position, std::string_view name) {
    const Value* const given = argument(arguments, position, name);
    if (!given || !given->text()) failType("a string is expected, not " + (given ? given->typeName() : std::string("nothing")));
    return *given->text();
}

std::int64_t wholeArgument(const Arguments& arguments, std::size_t position, std::string_view name, std::int64_t otherwise) {
    const Value* const given = argument(arguments, position, name);
    if (!given) return otherwise;
    if (!given->integer()) failType("an integer is expected, not " + given->typeName());
    return *given->integer();
}

template <bool left, bool right>
Value strip(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const given = argument(arguments, 0, "chars");
    std::optional<std::string> characters;
    if (given && !given->isNone()) characters = textArgument(arguments, 0, "chars").bytes;
    meter.pay(subjectText(subject).bytes.size() * (characters ? characters->size() + 1 : 1));
    return Value::of(stripped(subjectText(subject), characters, left, right));
}

template <bool fromRight>
Value split(const Value& subject, Arguments& arguments, Meter& meter) {
    return Value::of(splitText(subjectText(subject), argument(arguments, 0, "sep"), wholeArgument(arguments, 1, "maxsplit", -1),
                               fromRight, meter));
}

template <bool atEnd>
Value affix(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const given = argument(arguments, 0, "prefix");
    if (!given) failType("an argument is missing");
    const std::string& bytes = subjectText(subject).bytes;
    const auto fits = [&](const Value& part) {
        if (!part.text()) failType("a str or a tuple of str is expected, not " + part.typeName());
        meter.pay(part.text()->bytes.size());
        return atEnd ? bytes.ends_with(part.text()->bytes) : bytes.starts_with(part.text()->bytes);
    };
    return Value::of(given->isTuple() ? std::ranges::any_of(*given->items(), fits) : fits(*given));
}

template <bool fromRight>
Value find(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string& bytes = subjectText(subject).bytes;
    meter.pay(bytes.size());
    const std::string& part = textArgument(arguments, 0, "sub").bytes;
    const std::size_t found = fromRight ? bytes.rfind(part) : bytes.find(part);
    if (found == std::string::npos) return Value::of(std::int64_t{-1});
    return Value::of(std::count_if(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(found),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }) +
                     std::int64_t{0});
}

Value index(const Value& subject, Arguments& arguments, Meter& meter) {
    Value found = find<false>(subject, arguments, meter);
    if (*found.integer() < 0) failTemplate("substring not found");
    return found;
}

Value count(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string& bytes = subjectText(subject).bytes;
    const std::string& part = textArgument(arguments, 0, "sub").bytes;
    meter.pay(bytes.size());
    std::int64_t n = 0;
    if (part.empty()) return Value::of(static_cast<std::int64_t>(bytes.size()) + 1);
    for (std::size_t at = 0; (at = bytes.find(part, at)) != std::string::npos; at += part.size()) ++n;
    return Value::of(n);
}

Value replace(const Value& subject, Arguments& arguments, Meter& meter) {
    return Value::of(replaced(subjectText(subject), textArgument(arguments, 0, "old"), textArgument(arguments, 1, "new"),
                              wholeArgument(arguments, 2, "count", -1), meter));
}

template <std::string (*change)(const std::string&)>
Value changed(const Value& subject, Arguments&, Meter& meter) {
    meter.pay(subjectText(subject).bytes.size() * 2);
    return Value::of(subjectText(subject).changed(change(subjectText(subject).bytes)));
}

template <bool (*test)(char32_t)>
Value all(const Value& subject, Arguments&, Meter& meter) {
    meter.pay(subjectText(subject).bytes.size());
    return Value::of(allCharacters(subjectText(subject).bytes, test));
}

Value join(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const given = argument(arguments, 0, "iterable");
    if (!given) failType("join() takes exactly one argument");
    Text out = Text::of("");
    bool first = true;
    for (const Value& item : valueElements(*given, meter)) {
        if (!item.text()) failType("sequence item: expected str instance, " + item.typeName() + " found");
        if (!std::exchange(first, false)) out.append(subjectText(subject));
        out.append(*item.text());
        meter.pay(item.text()->bytes.size() + subjectText(subject).bytes.size());
    }
    return Value::of(std::move(out));
}

Value splitLines(const Value& subject, Arguments& arguments, Meter& meter) {
    const Text& text = subjectText(subject);
    const Value* const keep = argument(arguments, 0, "keepends");
    const bool keepsEnds = keep && keep->isTrue();
    List out;
    for (std::size_t at = 0; at < text.bytes.size();) {
        const std::size_t end = std::min(text.bytes.find_first_of("\n\r\v\f", at), text.bytes.size());
        const std::size_t next = end == text.bytes.size() ? end : end + (text.bytes.substr(end, 2) == "\r\n" ? 2 : 1);
        meter.pay(next - at + 64 + text.literal.size());
        out.push_back(Value::of(text.cut(at, keepsEnds ? next : end)));
        at = next;
    }
    return Value::of(std::move(out));
}

template <bool fromRight>
Value partition(const Value& subject, Arguments& arguments, Meter& meter) {
    const Text& text = subjectText(subject);
    const std::string& by = textArgument(arguments, 0, "sep").bytes;
    if (by.empty()) failTemplate("empty separator");
    meter.pay(text.bytes.size());
    const std::size_t found = fromRight ? text.bytes.rfind(by) : text.bytes.find(by);
    const Value empty = Value::of("");
    if (found == std::string::npos)
        return fromRight ? Value::tuple({empty, empty, subject}) : Value::tuple({subject, empty, empty});
    return Value::tuple({Value::of(text.cut(0, found)), Value::of(text.cut(found, found + by.size())),
                         Value::of(text.cut(found + by.size(), text.bytes.size()))});
}

template <bool atEnd>
Value removeAffix(const Value& subject, Arguments& arguments, Meter&) {
    const Text& text = subjectText(subject);
    const std::string& part = textArgument(arguments, 0, "prefix").bytes;
    if (!atEnd && text.bytes.starts_with(part)) return Value::of(text.cut(part.size(), text.bytes.size()));
    if (atEnd && text.bytes.ends_with(part)) return Value::of(text.cut(0, text.bytes.size() - part.size()));
    return subject;
}

Value zeroFill(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string& bytes = subjectText(subject).bytes;
    const std::int64_t width = wholeArgument(arguments, 0, "width", 0);
    const std::int64_t missing = width - static_cast<std::int64_t>(bytes.size());
    if (missing <= 0) return subject;
    meter.pay(static_cast<std::uint64_t>(width));
    const bool isSigned = bytes.starts_with('-') || bytes.starts_with('+');
    return Value::of(subjectText(subject).changed(bytes.substr(0, isSigned) + std::string(static_cast<std::size_t>(missing), '0') +
                                                  bytes.substr(isSigned)));
}

// A field of str.format: NAME[!r or !s][:SPEC]. Attributes and items of the value are refused.
struct FormatField {
    std::string name, spec;
    bool isRepr = false;
};

FormatField fieldFromText(const std::string& text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    FormatField field{text.substr(0, colon), text.substr(std::min(colon + 1, text.size())), false};
    if (field.name.ends_with("!r") || field.name.ends_with("!s")) {
        field.isRepr = field.name.back() == 'r';
        field.name.resize(field.name.size() - 2);
    }
    return field;
}

// str.format with {}, {0} and {name}, each with a conversion and a specification.
Value format(const Value& subject, Arguments& arguments, Meter& meter) {
    const Text& text = subjectText(subject);
    const std::string& f = text.bytes;
    Text out = Text::of("");
    std::size_t next = 0;
    for (std::size_t at = 0; at < f.size();) {
        const std::size_t brace = std::min(f.find_first_of("{}", at), f.size());
        out.append(text.cut(at, brace));
        if (brace == f.size()) break;
        if (f.substr(brace, 2) == "{{" || f.substr(brace, 2) == "}}") {
            out.append(f.substr(brace, 1));
            at = brace + 2;
            continue;
        }
        const std::size_t end = f.find('}', brace);
        if (f[brace] == '}' || end == std::string::npos) failTemplate("single brace in a format string");
        const FormatField given = fieldFromText(f.substr(brace + 1, end - brace - 1));
        const std::string& field = given.name;
        at = end + 1;
        meter.pay(field.size() + given.spec.size() + 8);
        const bool isIndex = !field.empty() && field.size() < 6 && field.find_first_not_of("0123456789") == std::string::npos;
        const std::size_t position = field.empty() ? next++
                                     : isIndex     ? static_cast<std::size_t>(std::stoul(field))
                                                   : std::string::npos;
        const Value* const value =
            position != std::string::npos ? argument(arguments, position, "") : argument(arguments, std::string::npos, field);
        if (!value) failTemplate("the format string names \"" + field + "\", which was not given");
        const Value shown = given.isRepr ? Value::of(Text::literalText(toRepr(*value, meter))) : *value;
        out.append(formattedBySpec(shown, given.spec, meter));
    }
    return Value::of(std::move(out));
}

// str.ljust and rjust: this share of the missing characters goes in front.
template <bool isRight>
Value justify(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string fill = argument(arguments, 1, "fillchar") ? textArgument(arguments, 1, "fillchar").bytes : " ";
    if (characterCount(fill) != 1) failType("The fill character must be exactly one character long");
    const std::int64_t missing = wholeArgument(arguments, 0, "width", 0) - characterCount(subjectText(subject).bytes);
    return Value::of(padded(subjectText(subject), isRight ? missing : 0, isRight ? 0 : missing, fill, meter));
}

Value center(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string fill = argument(arguments, 1, "fillchar") ? textArgument(arguments, 1, "fillchar").bytes : " ";
    if (characterCount(fill) != 1) failType("The fill character must be exactly one character long");
    const std::int64_t width = wholeArgument(arguments, 0, "width", 0);
    const std::int64_t missing = std::max<std::int64_t>(width - characterCount(subjectText(subject).bytes), 0);
    const std::int64_t before = missing / 2 + (missing & width & 1); // as Python has it
    return Value::of(padded(subjectText(subject), before, missing - before, fill, meter));
}

// str.isupper and islower: there are letters with case, and all of them have this one.
template <bool wantsUpper>
Value hasCase(const Value& subject, Arguments&, Meter& meter) {
    const std::string& bytes = subjectText(subject).bytes;
    meter.pay(bytes.size());
    bool found = false;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(nextCodePoint(bytes, at)));
        const bool isUpper = category == UTF8PROC_CATEGORY_LU, isLower = category == UTF8PROC_CATEGORY_LL;
        if (wantsUpper ? isLower || category == UTF8PROC_CATEGORY_LT : isUpper || category == UTF8PROC_CATEGORY_LT)
            return Value::of(false);
        found |= wantsUpper ? isUpper : isLower;
    }
    return Value::of(found);
}

Value isAscii(const Value& subject, Arguments&, Meter& meter) {
    meter.pay(subjectText(subject).bytes.size());
    return Value::of(std::ranges::all_of(subjectText(subject).bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Value expandTabs(const Value& subject, Arguments& arguments, Meter& meter) {
    const std::string& bytes = subjectText(subject).bytes;
    const std::int64_t size = std::clamp<std::int64_t>(wholeArgument(arguments, 0, "tabsize", 8), 0, 1000);
    std::string out;
    std::int64_t column = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const char32_t c = nextCodePoint(bytes, at);
        const std::int64_t blanks = c == '\t' && size > 0 ? size - column % size : 0;
        meter.pay(static_cast<std::uint64_t>(blanks) + 1);
        out.append(static_cast<std::size_t>(blanks), ' ');
        if (c != '\t') appendUtf8(out, c);
        column = c == '\n' || c == '\r' ? 0 : c == '\t' ? column + blanks : column + 1;
    }
    return Value::of(subjectText(subject).changed(std::move(out)));
}

struct NamedMethod {
    std::string_view name;
    Method method;
};

constexpr NamedMethod stringMethods[] = {
    {"split", split<false>},
    {"rsplit", split<true>},
    {"strip", strip<true, true>},
    {"lstrip", strip<true, false>},
    {"rstrip", strip<false, true>},
    {"startswith", affix<false>},
    {"endswith", affix<true>},
    {"find", find<false>},
    {"rfind", find<true>},
    {"index", index},
    {"count", count},
    {"replace", replace},
    {"upper", changed<upperCase>},
    {"lower", changed<lowerCase>},
    {"title", changed<titleCase>},
    {"capitalize", changed<capitalized>},
    {"join", join},
    {"splitlines", splitLines},
    {"partition", partition<false>},
    {"rpartition", partition<true>},
    {"removeprefix", removeAffix<false>},
    {"removesuffix", removeAffix<true>},
    {"zfill", zeroFill},
    {"isdigit", all<isDigit>},
    {"isalpha", all<isLetter>},
    {"isspace", all<isSpace>},
    {"isalnum", all<isLetterOrDigit>},
    {"isdecimal", all<isDigit>},
    {"isnumeric", all<isNumeric>},
    {"isupper", hasCase<true>},
    {"islower", hasCase<false>},
    {"isascii", isAscii},
    {"swapcase", changed<swappedCase>},
    {"casefold", changed<lowerCase>},
    {"center", center},
    {"ljust", justify<false>},
    {"rjust", justify<true>},
    {"expandtabs", expandTabs},
    {"format", format},
};

Value dictGet(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const key = argument(arguments, 0, "key");
    if (!key) failType("get expected at least 1 argument, got 0");
    meter.pay(key->text() ? key->text()->bytes.size() : subject.dict()->size());
    if (const Value* const found = subject.dict()->find(*key)) return *found;
    const Value* const otherwise = argument(arguments, 1, "default");
    return otherwise ? *otherwise : Value::none();
}

template <int part> // 0: keys, 1: values, 2: pairs
Value dictParts(const Value& subject, Arguments&, Meter& meter) {
    List out;
    for (const auto& [key, value] : subject.dict()->members())
        out.push_back(part == 0 ? key : part == 1 ? value : Value::tuple({key, value}));
    meter.pay(out.size() * 64);
    return Value::of(std::move(out));
}

Value copy(const Value& subject, Arguments&, Meter&) { return subject; } // values never change

constexpr NamedMethod dictMethods[] = {
    {"get", dictGet}, {"keys", dictParts<0>}, {"values", dictParts<1>}, {"items", dictParts<2>}, {"copy", copy}};

Value listCount(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const wanted = argument(arguments, 0, "value");
    if (!wanted) failType("count() takes exactly one argument (0 given)");
    return Value::of(static_cast<std::int64_t>(
        std::ranges::count_if(*subject.items(), [&](const Value& v) { return equal(v, *wanted, meter); })));
}

Value listIndex(const Value& subject, Arguments& arguments, Meter& meter) {
    const Value* const wanted = argument(arguments, 0, "value");
    if (!wanted) failType("index() takes at least one argument (0 given)");
    const auto found = std::ranges::find_if(*subject.items(), [&](const Value& v) { return equal(v, *wanted, meter); });
    if (found == subject.items()->end()) failTemplate("the value is not in the list");
    return Value::of(static_cast<std::int64_t>(found - subject.items()->begin()));
}

constexpr NamedMethod listMethods[] = {{"count", listCount}, {"index", listIndex}, {"copy", copy}};

// What would change a list or dict: the sandbox forbids it.
constexpr std::string_view changesList[] = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"};
constexpr std::string_view changesDict[] = {"clear", "pop", "popitem", "setdefault", "update"};

class BoundMethod final : public Object {
public:
    BoundMethod(Value subject, Method method) : m_subject(std::move(subject)), m_method(method) {}
    std::string typeName() const override { return "method"; }
    bool isCallable() const override { return true; }
    Value call(Arguments& arguments, Meter& meter) override { return m_method(m_subject, arguments, meter); }

private:
    Value m_subject;
    Method m_method;
};

} // namespace

std::optional<Value> findMethod(const Value& subject, std::string_view name) {
    const auto bound = [&](const auto& methods) -> std::optional<Value> {
        const auto found = std::ranges::find(methods, name, &NamedMethod::name);
        if (found == std::end(methods)) return std::nullopt;
        return Value::of(std::static_pointer_cast<Object>(std::make_shared<BoundMethod>(subject, found->method)));
    };
    const auto forbidden = [&](const auto& names) -> std::optional<Value> {
        if (std::ranges::find(names, name) == std::end(names)) return std::nullopt;
        return Value::undefined("access to attribute '" + std::string(name) + "' of '" + subject.typeName() + "' object is unsafe.",
                                FailureClass::Security);
    };
    if (subject.text()) return bound(stringMethods);
    if (subject.dict()) {
        auto method = bound(dictMethods);
        return method ? std::move(method) : forbidden(changesDict);
    }
    if (subject.list()) {
        auto method = bound(listMethods);
        return method ? std::move(method) : forbidden(changesList);
    }
    if (subject.isTuple()) return bound(listMethods);
    return std::nullopt;
}

const Value* argument(const Arguments& arguments, std::size_t position, std::string_view name) {
    if (position < arguments.positional.size()) return &arguments.positional[position];
    if (name.empty()) return nullptr;
    const auto found = std::ranges::find(arguments.named, name, [](const auto& entry) { return std::string_view(entry.first); });
    return found == arguments.named.end() ? nullptr : &found->second;
}

} // namespace wb::text::jinja

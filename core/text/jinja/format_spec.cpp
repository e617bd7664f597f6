// SPDX-License-Identifier: MIT
#include "core/text/jinja/format_spec.h"

#include "core/text/jinja/interpreter.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wb::text::jinja {
namespace {

constexpr std::int64_t widestField = 100'000, maxDecimals = 300;

struct FieldSpec {
    std::string fill = " ";
    char align = 0; // '<' '>' '^' '='; 0: as the kind of the value has it
    char sign = '-';
    bool isZeroFilled = false; // after the sign, where it is a number
    bool showsBase = false;
    char grouping = 0; // ',' or '_'
    std::int64_t width = 0, precision = -1;
    char type = 0;
};

[[noreturn]] void failSpec(std::string_view spec) { failTemplate(fmt::format("invalid format specifier '{}'", spec)); }

bool isOneOf(std::string_view characters, std::string_view text, std::size_t at) {
    return at < text.size() && characters.find(text[at]) != std::string_view::npos;
}

std::int64_t takeNumber(std::string_view spec, std::size_t& at, std::int64_t most) {
    std::int64_t number = 0;
    for (; isOneOf("0123456789", spec, at); ++at) {
        number = number * 10 + (spec[at] - '0');
        if (number > most) failTemplate("a field of the format string is too wide");
    }
    return number;
}

FieldSpec readSpec(std::string_view spec) {
    FieldSpec field;
    std::size_t at = 0;
    const std::size_t first = spec.empty() ? 0 : std::min(characterBytes(spec[0]), spec.size());
    if (isOneOf("<>^=", spec, first)) {
        field.fill = spec.substr(0, first);
        at = first;
    }
    if (isOneOf("<>^=", spec, at)) field.align = spec[at++];
    if (isOneOf("+- ", spec, at)) field.sign = spec[at++];
    if (isOneOf("#", spec, at)) field.showsBase = ++at > 0;
    if (isOneOf("0", spec, at) && field.align == 0) {
        field.fill = "0";
        field.isZeroFilled = true;
    }
    field.width = takeNumber(spec, at, widestField);
    if (isOneOf(",_", spec, at)) field.grouping = spec[at++];
    if (isOneOf(".", spec, at)) {
        if (!isOneOf("0123456789", spec, ++at)) failSpec(spec);
        field.precision = takeNumber(spec, at, widestField);
    }
    if (at < spec.size()) field.type = spec[at++];
    if (at < spec.size()) failSpec(spec);
    return field;
}

// Of an odd number of fills the center has the smaller half in front.
Text inField(const Text& text, const FieldSpec& field, char otherwise, Meter& meter) {
    const std::int64_t missing = field.width - characterCount(text.bytes);
    const char align = field.align ? field.align : otherwise;
    const std::int64_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
    return padded(text, before, missing - before, field.fill, meter);
}

// The digits in front of a point in groups of three, of other bases than ten of four.
std::string grouped(std::string digits, char separator, std::size_t size) {
    const std::size_t whole = std::min(digits.find_first_of(".e"), digits.size());
    for (std::size_t at = whole; at > size; at -= size) digits.insert(at - size, 1, separator);
    return digits;
}

std::string wholeDigits(std::uint64_t number, const FieldSpec& field, std::string& prefix, std::string_view spec) {
    const auto based = [&](std::string digits, const char* name) {
        if (field.showsBase) prefix += name;
        return field.grouping ? grouped(std::move(digits), field.grouping, 4) : digits;
    };
    switch (field.type) {
    case 'x': return based(fmt::format("{:x}", number), "0x");
    case 'X': return based(fmt::format("{:X}", number), "0X");
    case 'o': return based(fmt::format("{:o}", number), "0o");
    case 'b': return based(fmt::format("{:b}", number), "0b");
    case 'd':
    case 'n':
    case 0: break;
    default: failSpec(spec);
    }
    return field.grouping ? grouped(std::to_string(number), field.grouping, 3) : std::to_string(number);
}

std::string realDigits(double number, const FieldSpec& field, std::string_view spec) {
    const bool isPercent = field.type == '%';
    const char kind = isPercent ? 'f' : field.type == 'n' ? 'g' : field.type;
    if (std::string_view("eEfFgG").find(kind) == std::string_view::npos || field.precision > maxDecimals) failSpec(spec);
    const std::string pattern = fmt::format("%{}.*{}", field.showsBase ? "#" : "", kind);
    char buffer[800];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length =
        std::snprintf(buffer, sizeof buffer, pattern.c_str(), static_cast<int>(field.precision < 0 ? 6 : field.precision),
                      isPercent ? number * 100 : number);
#pragma GCC diagnostic pop
    std::string digits(buffer, static_cast<std::size_t>(std::clamp(length, 0, 799)));
    if (field.grouping && std::isfinite(number)) digits = grouped(std::move(digits), field.grouping, 3);
    return isPercent ? digits + '%' : digits;
}

// Without a type: as it is printed, or with a precision the shorter of both forms with a digit after the point.
std::string plainReal(double number, const FieldSpec& field, Meter& meter) {
    FieldSpec general = field;
    general.type = 'g';
    std::string digits = field.precision < 0 ? toText(Value::of(number), meter).bytes : realDigits(number, general, "");
    if (field.precision < 0 && field.grouping) digits = grouped(std::move(digits), field.grouping, 3);
    const bool isBare = digits.find_first_not_of("0123456789,_") == std::string::npos;
    return field.precision >= 0 && isBare ? digits + ".0" : digits;
}

Text numberField(const Value& value, const FieldSpec& field, std::string_view spec, Meter& meter) {
    const std::optional<bool> truth = value.boolean() ? std::optional(*value.boolean()) : std::nullopt;
    const bool isWhole = value.integer() || truth;
    const bool asReal = !isWhole || (field.type && std::string_view("eEfFgG%").find(field.type) != std::string_view::npos);
    const std::int64_t whole = value.integer() ? *value.integer() : truth.value_or(false);
    const double number = isWhole ? static_cast<double>(whole) : value.number();
    std::string prefix = std::signbit(number) ? "-" : field.sign == '-' ? "" : std::string(1, field.sign);
    if (!asReal && field.precision >= 0) failTemplate("Precision not allowed in integer format specifier");
    std::string digits;
    if (!asReal)
        digits =
            wholeDigits(whole < 0 ? 0 - static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(whole), field, prefix, spec);
    else if (field.type) digits = realDigits(std::fabs(number), field, spec);
    else digits = plainReal(std::fabs(number), field, meter);
    const auto missing = field.width - static_cast<std::int64_t>(prefix.size() + digits.size());
    if ((field.align == '=' || field.isZeroFilled) && missing > 0) {
        std::string inner;
        for (std::int64_t i = 0; i < missing; ++i) inner += field.fill;
        meter.pay(inner.size());
        prefix += inner;
    }
    return inField(Text::of(prefix + digits), field, '>', meter);
}

} // namespace

std::int64_t characterCount(const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

Text padded(const Text& text, std::int64_t before, std::int64_t behind, std::string_view fill, Meter& meter) {
    if (before <= 0 && behind <= 0) return text;
    if (before > widestField || behind > widestField) failTemplate("a field is too wide");
    meter.pay(static_cast<std::uint64_t>(std::max<std::int64_t>(before, 0) + std::max<std::int64_t>(behind, 0)) * fill.size() +
              text.bytes.size());
    const auto filled = [&](std::int64_t count) {
        std::string edge;
        for (; count > 0; --count) edge += fill;
        return edge;
    };
    Text out = Text::of(filled(before));
    out.isMarkup = text.isMarkup;
    out.append(text);
    out.append(filled(behind));
    return out;
}

Text shortened(const Text& text, std::int64_t count) {
    std::size_t at = 0;
    while (count-- > 0 && at < text.bytes.size()) at = std::min(at + characterBytes(text.bytes[at]), text.bytes.size());
    return text.cut(0, at);
}

Text formattedBySpec(const Value& value, std::string_view spec, Meter& meter) {
    if (spec.empty()) return toText(value, meter);
    const FieldSpec field = readSpec(spec);
    if (value.isNumber() && !value.text() && field.type != 's' && field.type != 'c') return numberField(value, field, spec, meter);
    if (!value.text()) failType("unsupported format string passed to " + value.typeName() + ".__format__");
    if ((field.type && field.type != 's') || field.align == '=' || field.sign != '-' || field.grouping) failSpec(spec);
    const Text text = field.precision < 0 ? *value.text() : shortened(*value.text(), field.precision);
    return inField(text, field, '<', meter);
}

} // namespace wb::text::jinja

// SPDX-License-Identifier: MIT
#include "core/text/jinja/json_values.h"

#include "core/base/text.h"
#include "core/formats/json/scanner.h"

#include <algorithm>
#include <charconv>

namespace wb::text::jinja {
namespace {

using json::Scanner;
using JsonToken = json::Token;

// What "role" may hold without being a user's text: templates put it between their own markers to spell a special token.
constexpr std::string_view roles[] = {"system",   "user",    "assistant", "tool",       "developer",
                                      "function", "ipython", "model",     "environment"};

Value numberFromDigits(std::string_view digits) {
    std::int64_t whole = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    if (result.ec == std::errc() && result.ptr == digits.data() + digits.size()) return Value::of(whole);
    return Value::of(parseDouble(digits).value_or(0));
}

// The value whose first token is the scanner's present one.
std::optional<Value> read(Scanner& scanner, bool isRole) {
    switch (scanner.token()) {
    case JsonToken::String: {
        const std::string text(scanner.text());
        const bool isKnownRole = isRole && std::ranges::find(roles, text) != std::end(roles);
        return isKnownRole ? Value::of(text) : Value::of(Text::literalText(text));
    }
    case JsonToken::Number: return numberFromDigits(scanner.text());
    case JsonToken::True: return Value::of(true);
    case JsonToken::False: return Value::of(false);
    case JsonToken::Null: return Value::none();
    case JsonToken::BeginArray: {
        List out;
        while (scanner.next() != JsonToken::EndArray) {
            auto element = read(scanner, false);
            if (!element) return std::nullopt;
            out.push_back(*std::move(element));
        }
        return Value::of(std::move(out));
    }
    case JsonToken::BeginObject: {
        Dict out;
        while (scanner.next() == JsonToken::Key) {
            const std::string key(scanner.text());
            scanner.next();
            auto member = read(scanner, key == "role");
            if (!member) return std::nullopt;
            out.set(Value::of(Text::literalText(key)), *std::move(member));
        }
        if (scanner.token() != JsonToken::EndObject) return std::nullopt;
        return Value::of(std::move(out));
    }
    default: return std::nullopt;
    }
}

} // namespace

std::optional<Value> valueOfJson(std::string_view text) {
    Scanner scanner(text, maxJsonDepth);
    scanner.next();
    auto value = read(scanner, false);
    if (!value || scanner.next() != JsonToken::End) return std::nullopt;
    return value;
}

} // namespace wb::text::jinja

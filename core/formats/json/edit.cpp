// SPDX-License-Identifier: MIT
#include "core/formats/json/edit.h"

#include "core/formats/json/scanner.h"

namespace wb::json {
namespace {

// Bytes of the text: the member from its key to the end of its value.
struct MemberPlace {
    std::size_t key = 0;
    std::size_t value = 0;
    std::size_t end = 0;
};

// Moves the scanner from the first token of a value to its last.
bool skipValue(Scanner& scanner) {
    const Token first = scanner.token();
    if (first != Token::BeginObject && first != Token::BeginArray) return first != Token::Bad && first != Token::End;
    const unsigned depth = scanner.depth(); // inside of it
    while (scanner.depth() >= depth) {
        const Token token = scanner.next();
        if (token == Token::Bad || token == Token::End) return false;
    }
    return true;
}

// A member of the object that starts with the scanner's present token.
std::optional<MemberPlace> findMember(Scanner& scanner, std::string_view key) {
    if (scanner.token() != Token::BeginObject) return std::nullopt;
    while (scanner.next() == Token::Key) {
        const bool isOurs = scanner.text() == key;
        MemberPlace place;
        place.key = scanner.position();
        scanner.next();
        place.value = scanner.position();
        if (!isOurs) {
            if (!skipValue(scanner)) return std::nullopt;
            continue;
        }
        Scanner inside = scanner;
        if (!skipValue(inside)) return std::nullopt;
        place.end = inside.end();
        return place; // the scanner stays at the value
    }
    return std::nullopt;
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

} // namespace

std::optional<std::string> withMember(std::string_view text, std::string_view within, std::string_view key,
                                      std::string_view value) {
    Scanner scanner(text);
    scanner.next();
    if (!within.empty() && !findMember(scanner, within)) return std::nullopt;
    const auto place = findMember(scanner, key);
    if (!place) return std::nullopt;
    std::string changed(text.substr(0, place->value));
    changed += value;
    changed += text.substr(place->end);
    return changed;
}

std::string withoutMember(std::string_view text, std::string_view key) {
    Scanner scanner(text);
    scanner.next();
    const auto place = findMember(scanner, key);
    if (!place) return std::string(text);
    std::size_t begin = place->key, end = place->end;
    std::size_t next = end;
    while (next < text.size() && isBlank(text[next])) ++next;
    if (next < text.size() && text[next] == ',') { // the blanks before the next member go, those before this one stay
        end = next + 1;
        while (end < text.size() && isBlank(text[end])) ++end;
    } else {
        while (begin > 0 && isBlank(text[begin - 1])) --begin;
        if (begin > 0 && text[begin - 1] == ',') --begin;
    }
    std::string changed(text.substr(0, begin));
    changed += text.substr(end);
    return changed;
}

} // namespace wb::json

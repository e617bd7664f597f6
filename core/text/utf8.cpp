// SPDX-License-Identifier: MIT
#include "core/text/utf8.h"

#include "core/base/text.h"

namespace wb::text {
namespace {

// Bytes a character needs that starts with `lead`; 0 where none does.
std::size_t neededBytes(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80) return 1;
    if (byte < 0xC2 || byte > 0xF4) return 0;
    return byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Whether `bytes`, shorter than the character it starts, can still become one.
bool canBecomeCharacter(std::string_view bytes) {
    static constexpr std::string_view endings[] = {"\x80", "\xBF"};
    const std::size_t needed = neededBytes(bytes.front());
    if (needed <= bytes.size()) return false;
    for (const std::string_view ending : endings) {
        std::string whole(bytes);
        while (whole.size() < needed) whole += ending;
        if (isUtf8(whole)) return true;
    }
    return false;
}

} // namespace

char32_t nextCodePoint(std::string_view text, std::size_t& at) {
    const std::size_t length = std::min(characterBytes(text[at]), text.size() - at);
    auto value = static_cast<char32_t>(static_cast<unsigned char>(text[at]));
    if (length > 1) value &= 0x7Fu >> length;
    for (std::size_t i = 1; i < length; ++i) value = value << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
    at += length;
    return value;
}

void appendUtf8(std::string& out, char32_t c) {
    const auto byte = [&](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
    if (c < 0x80) return byte(c);
    if (c < 0x800) byte(0xC0 | c >> 6);
    else {
        if (c < 0x10000) byte(0xE0 | c >> 12);
        else {
            byte(0xF0 | c >> 18);
            byte(0x80 | (c >> 12 & 0x3F));
        }
        byte(0x80 | (c >> 6 & 0x3F));
    }
    byte(0x80 | (c & 0x3F));
}

std::string utf8OfBytes(std::string_view bytes) {
    if (isUtf8(bytes)) return std::string(bytes);
    std::string out;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = neededBytes(bytes[at]);
        const std::string_view character = bytes.substr(at, length);
        const bool valid = length > 0 && character.size() == length && isUtf8(character);
        out += valid ? character : replacement;
        at += valid ? length : 1;
    }
    return out;
}

std::string Utf8Stream::add(std::string_view bytes) {
    m_held += bytes;
    std::string out;
    std::size_t at = 0;
    while (at < m_held.size()) {
        const std::string_view rest = std::string_view(m_held).substr(at);
        const std::size_t length = neededBytes(rest.front());
        if (length > 0 && rest.size() >= length && isUtf8(rest.substr(0, length))) {
            out += rest.substr(0, length);
            at += length;
        } else if (length > rest.size() && canBecomeCharacter(rest)) {
            break;
        } else {
            out += replacement;
            ++at;
        }
    }
    m_held.erase(0, at);
    return out;
}

std::string Utf8Stream::finish() {
    const bool incomplete = !m_held.empty();
    m_held.clear();
    return incomplete ? std::string(replacement) : std::string();
}

} // namespace wb::text

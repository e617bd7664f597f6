// SPDX-License-Identifier: MIT
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <locale>
#include <sstream>

namespace wb {
namespace {

struct Sequence {
    std::size_t length; // bytes of the sequence, or of the ill-formed part
    bool valid;
};

bool inside(unsigned char byte, int low, int high) { return byte >= low && byte <= high; }

// Table 3-7 of the Unicode standard: the second byte decides about overlong forms and surrogates.
Sequence nextSequence(std::string_view s) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned char lead = at(0);
    if (lead < 0x80) return {1, true};
    std::size_t need = 0;
    int low = 0x80;
    int high = 0xBF;
    if (inside(lead, 0xC2, 0xDF)) need = 1;
    else if (inside(lead, 0xE0, 0xEF)) need = 2;
    else if (inside(lead, 0xF0, 0xF4)) need = 3;
    else return {1, false};
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    for (std::size_t i = 1; i <= need; ++i, low = 0x80, high = 0xBF)
        if (i >= s.size() || !inside(at(i), low, high)) return {i, false};
    return {need + 1, true};
}

// The value of a sequence of up to three bytes; longer ones and ill-formed ones give 0x20, which is harmless.
unsigned codePoint(std::string_view sequence) {
    const auto bits = [&](std::size_t i, unsigned mask) { return static_cast<unsigned char>(sequence[i]) & mask; };
    if (!nextSequence(sequence).valid) return 0x20;
    if (sequence.size() == 1) return bits(0, 0x7F);
    if (sequence.size() == 2) return bits(0, 0x1F) << 6 | bits(1, 0x3F);
    if (sequence.size() == 3) return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
    return 0x20;
}

// Controls, which a terminal obeys, line separators, and the marks that turn the direction of text around.
bool steersOutput(unsigned point) {
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

template <typename Number>
std::string valueShortest(Number value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return fmt::format("{}", value);
}

std::string scaled(double value, double step, const std::array<const char*, 6>& units) {
    std::size_t unit = 0;
    while (value >= step - 0.5 && unit + 1 < units.size()) { // what would be shown as 1000 K is shown as 1.00 M
        value /= step;
        ++unit;
    }
    const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}{}", value, decimals, units[unit]);
}

} // namespace

bool isUtf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const Sequence sequence = nextSequence(bytes);
        if (!sequence.valid) return false;
        bytes.remove_prefix(sequence.length);
    }
    return true;
}

std::string toUtf8(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const Sequence sequence = nextSequence(bytes);
        if (sequence.valid) out += bytes.substr(0, sequence.length);
        else out += "\xEF\xBF\xBD";
        bytes.remove_prefix(sequence.length);
    }
    return out;
}

std::string_view withoutByteOrderMark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

std::string escapeControls(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; })) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, nextSequence(text).length);
        if (one == "\n") out += "\\n";
        else if (one == "\t") out += "\\t";
        else if (one == "\r") out += "\\r";
        else if (const unsigned point = codePoint(one); steersOutput(point)) out += fmt::format("\\u{:04x}", point);
        else out += one;
        text.remove_prefix(one.size());
    }
    return out;
}

std::string shellWord(std::string_view text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string_view utf8Prefix(std::string_view text, std::size_t maximumBytes) {
    if (text.size() <= maximumBytes) return text;
    while (maximumBytes > 0 && (static_cast<unsigned char>(text[maximumBytes]) & 0xC0) == 0x80) --maximumBytes;
    return text.substr(0, maximumBytes);
}

std::string shortest(double value) { return valueShortest(value); }
std::string shortest(float value) { return valueShortest(value); }

std::optional<double> parseDouble(std::string_view text) {
    std::istringstream stream{std::string(text)};
    stream.unsetf(std::ios::skipws);
    stream.imbue(std::locale::classic());
    double value = 0;
    stream >> value;
    if (stream.fail() || stream.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
    return value;
}

std::string humanBytes(unsigned long long bytes) {
    return scaled(static_cast<double>(bytes), 1024, {" B", " KiB", " MiB", " GiB", " TiB", " PiB"});
}

std::string humanCount(unsigned long long count) {
    return scaled(static_cast<double>(count), 1000, {"", " K", " M", " B", " T", " Q"});
}

} // namespace wb

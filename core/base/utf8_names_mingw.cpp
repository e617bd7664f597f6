// SPDX-License-Identifier: MIT
#ifdef __MINGW32__
#include "core/base/text.h"

#include <algorithm>
#include <cwchar>

namespace {

// The character at the beginning of the text, which is not ASCII, and its bytes; U+FFFD of one byte where it is ill-formed.
struct Character {
    unsigned code = 0xfffd;
    std::size_t bytes = 1;
};

Character firstCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (text.size() < bytes || !wb::isUtf8(text.substr(0, bytes))) return {};
    unsigned code = lead & (0x7fu >> bytes);
    for (const char c : text.substr(1, bytes - 1)) code = (code << 6) | (static_cast<unsigned char>(c) & 0x3fu);
    return {code, bytes};
}

} // namespace

// The library of GCC 12 makes a std::filesystem::path of `char` by this function of C, but gives the path's text back as UTF-8. The
// C library of mingw-w64, msvcrt.dll, has no UTF-8 locale and reads each byte as a letter, so this one takes its place: all text of
// ours is UTF-8. It never fails, since names come from files, too. The second half of a surrogate pair waits in the state.
extern "C" std::size_t mbrtowc(wchar_t* out, const char* text, std::size_t bytes, std::mbstate_t* state) {
    static thread_local std::mbstate_t own = 0;
    std::mbstate_t& waiting = state != nullptr ? *state : own;
    wchar_t unit = 0;
    std::size_t used = 1;
    if (text == nullptr) {
        waiting = 0;
        return 0;
    }
    if (bytes == 0) return static_cast<std::size_t>(-2);
    if (waiting != 0) {
        unit = static_cast<wchar_t>(waiting);
        waiting = 0;
    } else if (static_cast<unsigned char>(*text) < 0x80) {
        unit = static_cast<wchar_t>(*text);
        used = unit != 0;
    } else {
        const Character character = firstCharacter({text, std::min<std::size_t>(bytes, 4)});
        used = character.bytes;
        unit = static_cast<wchar_t>(character.code);
        if (character.code >= 0x10000) {
            unit = static_cast<wchar_t>(0xd800 + ((character.code - 0x10000) >> 10));
            waiting = static_cast<std::mbstate_t>(0xdc00 + ((character.code - 0x10000) & 0x3ff));
            --used; // its last byte is the second half's
        }
    }
    if (out != nullptr) *out = unit;
    return used;
}
#endif

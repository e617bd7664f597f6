// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::io {
namespace {

// Windows resolves these in any folder and with any extension.
bool isReservedDevice(std::string_view component) {
    std::string stem(component.substr(0, component.find('.')));
    while (stem.ends_with(' ')) stem.pop_back();
    std::ranges::transform(stem, stem.begin(), ascii::lower);
    static constexpr std::array devices = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    if (std::ranges::find(devices, stem) != devices.end()) return true;
    if (!stem.starts_with("com") && !stem.starts_with("lpt")) return false;
    const std::string_view number = std::string_view(stem).substr(3);
    static constexpr std::array superscripts = {"\u00b9", "\u00b2", "\u00b3"};
    return (number.size() == 1 && number >= "0" && number <= "9") || std::ranges::find(superscripts, number) != superscripts.end();
}

bool isPlainComponent(std::string_view component) {
    // Windows drops dots and blanks at the end, so that ".. " would be the folder above.
    if (component.empty() || component.size() > 255 || component.ends_with('.') || component.ends_with(' ')) return false;
    const auto forbidden = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':'; };
    return std::ranges::none_of(component, forbidden) && !isReservedDevice(component);
}

} // namespace

bool isPlainRelativeName(std::string_view name) {
    if (name.size() > 4096 || !isUtf8(name)) return false;
    while (true) {
        const std::size_t slash = name.find('/');
        if (!isPlainComponent(name.substr(0, slash))) return false;
        if (slash == std::string_view::npos) return true;
        name.remove_prefix(slash + 1);
    }
}

} // namespace wb::io

// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::io {
namespace {

// Windows resolves these in any folder and with any extension.
bool isReservedDevice(std::string_view component) {
    static constexpr std::array devices = {"con",  "prn",  "aux",  "nul",  "com1", "com2", "com3", "com4", "com5", "com6", "com7",
                                           "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"};
    std::string stem(component.substr(0, component.find('.')));
    std::ranges::transform(stem, stem.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::ranges::find(devices, stem) != devices.end();
}

bool isPlainComponent(std::string_view component) {
    if (component.empty() || component == "." || component == ".." || component.size() > 255) return false;
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

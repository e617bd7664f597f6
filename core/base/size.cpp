// SPDX-License-Identifier: MIT
#include "core/base/size.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <array>
#include <cmath>
#include <string>

namespace wb {
namespace {

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr std::array<Unit, 14> units = {{{"", 1},
                                         {"b", 1},
                                         {"k", 1e3},
                                         {"kb", 1e3},
                                         {"kib", 1024},
                                         {"m", 1e6},
                                         {"mb", 1e6},
                                         {"mib", 0x1p20},
                                         {"g", 1e9},
                                         {"gb", 1e9},
                                         {"gib", 0x1p30},
                                         {"t", 1e12},
                                         {"tb", 1e12},
                                         {"tib", 0x1p40}}};
constexpr double largest = 0x1p62;

} // namespace

std::optional<std::uint64_t> parseSize(std::string_view text) {
    const std::size_t end = text.find_first_not_of("0123456789.");
    const auto number = parseDouble(text.substr(0, end));
    std::string name;
    if (end != std::string_view::npos)
        for (const char c : text.substr(end))
            if (c != ' ') name += ascii::lower(c);
    for (const Unit& unit : units) {
        if (!number || unit.name != name) continue;
        const double bytes = *number * unit.bytes;
        if (bytes >= 1 && bytes < largest) return static_cast<std::uint64_t>(std::llround(bytes));
    }
    return std::nullopt;
}

} // namespace wb

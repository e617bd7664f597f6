// SPDX-License-Identifier: MIT
#include "core/base/split_name.h"

#include "core/base/ascii.h"

#include <fmt/format.h>

namespace wb {
namespace {

std::optional<std::uint64_t> fiveDigits(std::string_view text) {
    std::uint64_t number = 0;
    for (const char c : text) {
        if (!ascii::isDigit(c)) return std::nullopt;
        number = 10 * number + static_cast<std::uint64_t>(c - '0');
    }
    return number;
}

} // namespace

std::optional<SplitName> parseSplitName(std::string_view name) {
    constexpr std::size_t length = std::string_view("-00001-of-00005").size();
    if (name.size() < length) return std::nullopt;
    const std::string_view ending = name.substr(name.size() - length);
    const auto number = fiveDigits(ending.substr(1, 5));
    const auto count = fiveDigits(ending.substr(10, 5));
    if (ending[0] != '-' || ending.substr(6, 4) != "-of-" || !number || !count) return std::nullopt;
    return SplitName{name.substr(0, name.size() - length), *number, *count};
}

std::string splitSuffix(std::uint64_t number, std::uint64_t count) { return fmt::format("-{:05}-of-{:05}", number, count); }

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>

// Numbers of things in sentences. A sentence says "{} layer(s)", and fillSentence (core/base/error.h) writes "1 layer", "2 layers":
// "(s)" belongs to the field before it. Translations have no "(s)".
namespace wb {

// "1,234,567".
std::string grouped(std::uint64_t count);

// What fills a field: counts are grouped, all else is as {fmt} writes it.
template <typename Argument>
std::string countText(const Argument& argument) {
    if constexpr (std::unsigned_integral<Argument>) return grouped(argument);
    else return fmt::format("{}", argument);
}

} // namespace wb

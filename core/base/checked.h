// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

// Arithmetic on numbers that come from a file. Each function is empty where the true result does not fit, so that the caller
// can name the file and the field in its refusal. No raw * + << on such numbers anywhere in core.
namespace wb::checked {

constexpr std::optional<std::uint64_t> add(std::uint64_t a, std::uint64_t b) {
    if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
    return a + b;
}

constexpr std::optional<std::uint64_t> sub(std::uint64_t a, std::uint64_t b) {
    if (b > a) return std::nullopt;
    return a - b;
}

constexpr std::optional<std::uint64_t> mul(std::uint64_t a, std::uint64_t b) {
    if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
    return a * b;
}

// The smallest multiple of `alignment` that is not below `value`. Empty also where `alignment` is not a power of two.
constexpr std::optional<std::uint64_t> alignUp(std::uint64_t value, std::uint64_t alignment) {
    if (!std::has_single_bit(alignment)) return std::nullopt;
    const auto raised = add(value, alignment - 1);
    if (!raised) return std::nullopt;
    return *raised & ~(alignment - 1);
}

template <std::integral To, std::integral From>
constexpr std::optional<To> narrow(From value) {
    if (!std::in_range<To>(value)) return std::nullopt;
    return static_cast<To>(value);
}

} // namespace wb::checked

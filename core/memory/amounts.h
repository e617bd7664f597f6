// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/checked.h"

// Sums and products of numbers that a file or a user stated. Where the true result does not fit it is the largest number, so that
// an absurd model needs too much memory and never little.
namespace wb::memory {

inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

template <typename... Numbers>
constexpr std::uint64_t sum(std::uint64_t first, Numbers... others) {
    ((first = checked::add(first, others).value_or(unlimited)), ...);
    return first;
}

template <typename... Numbers>
constexpr std::uint64_t product(std::uint64_t first, Numbers... others) {
    ((first = checked::mul(first, others).value_or(unlimited)), ...);
    return first;
}

// A number of bytes that was computed with fractions; never below 0.
constexpr std::uint64_t asBytes(double bytes) {
    return bytes <= 0 ? 0 : bytes < 1.8e19 ? static_cast<std::uint64_t>(bytes) : unlimited;
}

} // namespace wb::memory

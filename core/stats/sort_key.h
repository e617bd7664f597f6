// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

// Sort keys: unsigned integers in the order of the numbers they stand for. Everything that must be exact (minimum, maximum,
// percentiles, the ten largest) compares keys, so that no float comparison and no flush-to-zero mode can change the result. The
// order of floats is total: -0 lies just below +0.
namespace wb::stats {

template <typename T>
using SortKeyOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <std::unsigned_integral Key>
inline constexpr Key topBit = static_cast<Key>(~(std::numeric_limits<Key>::max() >> 1));

template <typename T>
constexpr SortKeyOf<T> toSortKey(T value) {
    using Key = SortKeyOf<T>;
    const Key bits = std::bit_cast<Key>(value);
    if constexpr (std::unsigned_integral<T>) return bits;
    else if constexpr (std::signed_integral<T>) return bits ^ topBit<Key>;
    else return (bits & topBit<Key>) != 0 ? static_cast<Key>(~bits) : bits | topBit<Key>;
}

template <typename T>
constexpr T fromSortKey(SortKeyOf<T> key) {
    using Key = SortKeyOf<T>;
    if constexpr (std::unsigned_integral<T>) return key;
    else if constexpr (std::signed_integral<T>) return std::bit_cast<T>(key ^ topBit<Key>);
    else return std::bit_cast<T>((key & topBit<Key>) != 0 ? key ^ topBit<Key> : static_cast<Key>(~key));
}

} // namespace wb::stats

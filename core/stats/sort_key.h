// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

// Order-preserving images: of two numbers the smaller one has the smaller image, compared as unsigned integers. Everything that
// must be exact (minimum, maximum, percentiles, the ten largest) is decided on images, so that no float comparison and no
// flush-to-zero mode can change it. The order of floats is total: -0 lies just below +0.
namespace wb::stats {

template <typename T>
using ImageOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <std::unsigned_integral Image>
inline constexpr Image topBit = static_cast<Image>(~(std::numeric_limits<Image>::max() >> 1));

template <typename T>
constexpr ImageOf<T> toImage(T value) {
    using Image = ImageOf<T>;
    const Image bits = std::bit_cast<Image>(value);
    if constexpr (std::unsigned_integral<T>) return bits;
    else if constexpr (std::signed_integral<T>) return bits ^ topBit<Image>;
    else return (bits & topBit<Image>) != 0 ? static_cast<Image>(~bits) : bits | topBit<Image>;
}

template <typename T>
constexpr T fromImage(ImageOf<T> image) {
    using Image = ImageOf<T>;
    if constexpr (std::unsigned_integral<T>) return image;
    else if constexpr (std::signed_integral<T>) return std::bit_cast<T>(image ^ topBit<Image>);
    else return std::bit_cast<T>((image & topBit<Image>) != 0 ? image ^ topBit<Image> : static_cast<Image>(~image));
}

} // namespace wb::stats

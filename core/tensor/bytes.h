// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Numbers inside stored tensors: little-endian, at any address.
namespace wb {

static_assert(std::endian::native == std::endian::little, "stored tensors are read in place, so the machine must be little-endian");

template <class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class T>
void store(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

inline unsigned loadU8(const std::byte* at) { return std::to_integer<unsigned>(*at); }
inline int loadI8(const std::byte* at) { return static_cast<std::int8_t>(*at); }
inline unsigned loadU16(const std::byte* at) { return load<std::uint16_t>(at); }

} // namespace wb

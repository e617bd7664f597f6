// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// How the parts of a metadata pair are written (ggml-org/llama.cpp: ggml/include/gguf.h); for the writers of this room only.
namespace wb::gguf {

static_assert(std::endian::native == std::endian::little, "numbers are written in memory order");

inline constexpr std::uint32_t u16Id = 2;
inline constexpr std::uint32_t u32Id = 4;
inline constexpr std::uint32_t i32Id = 5;
inline constexpr std::uint32_t f32Id = 6;
inline constexpr std::uint32_t boolId = 7;
inline constexpr std::uint32_t stringId = 8;
inline constexpr std::uint32_t arrayId = 9;
inline constexpr std::uint32_t u64Id = 10;

template <typename T>
void append(std::string& out, T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

inline void appendText(std::string& out, std::string_view text) {
    append(out, static_cast<std::uint64_t>(text.size()));
    out += text;
}

} // namespace wb::gguf

// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/bytes.h"

#include <bit>
#include <cstdint>

// Conversions between f32 and the smaller floats, exact in the decoding direction (docs/reference/gguf.md, "Scalar conversions and
// rounding", docs/reference/formats.md, "Element types").
//
// NaN: where the small type has a payload (f16, f8_e5m2) it is shifted up and the NaN made quiet, as F16C and NEON do; bf16 is a
// plain shift, so even a signalling NaN keeps its bits. The types with one NaN code a sign give 0x7FC00000 with that sign; those
// with a single NaN give 0x7FC00000. Subnormals are kept in both directions, whatever the flush mode of the thread's FPU,
// because nothing here computes with them but integers.
namespace wb {

// A small float with `exponentBits` and `mantissaBits` below its sign, whose exponent field 0 holds zero and subnormals. `code`
// must not stand for an infinity or a NaN: every exponent field is taken as a number.
template <int exponentBits, int mantissaBits, int bias>
constexpr float smallFloat(std::uint32_t code) {
    constexpr std::uint32_t mantissaMask = (1u << mantissaBits) - 1;
    const std::uint32_t sign = (code >> (exponentBits + mantissaBits) & 1) << 31;
    const std::uint32_t field = code >> mantissaBits & ((1u << exponentBits) - 1);
    std::uint32_t mantissa = code & mantissaMask;
    int exponent = static_cast<int>(field) - bias;
    if (field == 0) {
        if (mantissa == 0) return std::bit_cast<float>(sign);
        const int shift = std::countl_zero(mantissa) - (31 - mantissaBits);
        mantissa = mantissa << shift & mantissaMask;
        exponent = 1 - bias - shift;
    }
    const auto exponentField = static_cast<std::uint32_t>(exponent + 127);
    return std::bit_cast<float>(sign | exponentField << 23 | mantissa << (23 - mantissaBits));
}

constexpr float quietNan(bool negative) { return std::bit_cast<float>(negative ? 0xFFC00000u : 0x7FC00000u); }

// The NaN of every block type. It arises where an infinite or NaN scale is multiplied; machines disagree about its bits then, so
// decoders write the one that x86 makes.
inline constexpr float blockNan = quietNan(true);

constexpr float f16ToF32(std::uint16_t code) {
    if ((code & 0x7C00u) != 0x7C00u) return smallFloat<5, 10, 15>(code);
    const std::uint32_t sign = (code & 0x8000u) << 16;
    const std::uint32_t payload = (code & 0x3FFu) << 13;
    return std::bit_cast<float>(sign | 0x7F800000u | payload | (payload != 0 ? 0x00400000u : 0u));
}

// The f16 number stored at `at`, as f32.
inline float loadF16(const std::byte* at) { return f16ToF32(load<std::uint16_t>(at)); }

// Nearest, ties to even; magnitudes from 65520 become infinity; every NaN becomes 0x7E00 with its sign.
constexpr std::uint16_t f32ToF16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = bits >> 16 & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
    if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);
    if (magnitude <= 0x33000000u) return static_cast<std::uint16_t>(sign); // up to 2^-25, whose tie goes to zero
    if (magnitude >= 0x38800000u) {                                        // normal in f16
        const std::uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1);
        return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
    }
    const auto shift = 126 - (magnitude >> 23); // 14 … 24: the mantissa counted in units of 2^-24
    const std::uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
    const std::uint32_t half = 1u << (shift - 1);
    return static_cast<std::uint16_t>(sign | ((mantissa + half - 1 + (mantissa >> shift & 1)) >> shift));
}

constexpr float bf16ToF32(std::uint16_t code) { return std::bit_cast<float>(static_cast<std::uint32_t>(code) << 16); }

// Nearest, ties to even, subnormals kept; a NaN keeps its upper payload and becomes quiet.
constexpr std::uint16_t f32ToBf16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>(bits >> 16 | 64);
    return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

constexpr float f8E4m3ToF32(std::uint8_t code) {
    return (code & 0x7F) == 0x7F ? quietNan(code >> 7 != 0) : smallFloat<4, 3, 7>(code);
}
constexpr float f8E5m2ToF32(std::uint8_t code) { return f16ToF32(static_cast<std::uint16_t>(code << 8)); }
constexpr float f8E4m3FnuzToF32(std::uint8_t code) { return code == 0x80 ? quietNan(false) : smallFloat<4, 3, 8>(code); }
constexpr float f8E5m2FnuzToF32(std::uint8_t code) { return code == 0x80 ? quietNan(false) : smallFloat<5, 2, 16>(code); }

constexpr float f6E2m3ToF32(std::uint8_t code) { return smallFloat<2, 3, 1>(code); }
constexpr float f6E3m2ToF32(std::uint8_t code) { return smallFloat<3, 2, 3>(code); }
constexpr float f4ToF32(std::uint8_t code) { return smallFloat<2, 1, 1>(code); }

// 2^(code - 127), 255 is NaN. Code 0 is the f32 subnormal 2^-127.
constexpr float e8m0ToF32(std::uint8_t code) {
    if (code == 0xFF) return quietNan(false);
    return std::bit_cast<float>(code == 0 ? 0x00400000u : static_cast<std::uint32_t>(code) << 23);
}

// Half of the E8M0 value, 2^(code - 128): the scale of MXFP4, whose levels are stored doubled. Here 255 is a number.
constexpr float e8m0HalfToF32(std::uint8_t code) {
    const std::uint32_t c = code;
    return std::bit_cast<float>(c < 2 ? 0x00200000u << c : (c - 1) << 23);
}

// Half of the unsigned E4M3 value: the scale of NVFP4, whose levels are stored doubled. The top bit is ignored and code 127 is
// zero, as in the reference decoder.
constexpr float ue4m3HalfToF32(std::uint8_t code) { return code == 0x7F ? 0.0F : smallFloat<4, 3, 8>(code & 0x7Fu); }

// The UE4M3 code of a scale, as the reference encoder of NVFP4 chooses it: halves round up, nothing above 256 is distinguished
// (code 126), zero, negative numbers and NaN give 0. Decode with twice ue4m3HalfToF32.
constexpr std::uint8_t f32ToUe4m3(float value) {
    if (!(value > 0.0F)) return 0;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    constexpr std::uint32_t smallestNormal = 121u << 3, tooLarge = 135u << 3; // 2^-6 and 2^8 as f32 exponent and three more bits
    if (bits >> 20 >= tooLarge) return 126;
    if (bits >> 20 < smallestNormal) {
        const auto code = static_cast<std::uint8_t>(value * 512.0F + 0.5F); // in units of 2^-9
        return code > 7 ? std::uint8_t{7} : code;
    }
    const std::uint32_t rounded = ((bits >> 19) + 1) >> 1;
    return rounded >= tooLarge ? std::uint8_t{126} : static_cast<std::uint8_t>(rounded - (120u << 3));
}

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/kernels.h"
#include "core/tensor/half.h"

// How the readable form reads panels of integers: every 32 columns of a row are codes with one or two scales and perhaps minimums.
namespace wb::infer::cpu::scalar {

inline float loadF32(const std::byte* at) { return load<float>(at); }
inline float halfAt(const std::byte* base, std::size_t index) { return loadF16(base + 2 * index); }

// How the products of 32 columns are added: with one scale or one for each half; without a minimum, with one, or one for each half.
struct Codes {
    std::array<int, recordColumns> code; // unsigned, but for lattices
    std::array<float, 2> scale;          // of the first and the last 16
    std::array<float, 2> minimum{};
};

inline int byteAt(const std::byte* at) { return std::to_integer<int>(*at); }
inline int signedByteAt(const std::byte* at) { return static_cast<std::int8_t>(byteAt(at)); }

// The byte of column 4j + c of vectors j = 0, 1 … at a distance of `stride` bytes.
inline int interleaved(const std::byte* vectors, std::size_t r, std::size_t column, std::size_t stride = 64) {
    return byteAt(vectors + column / 4 * stride + 4 * r + column % 4);
}

struct PanelQ8_0 {
    static constexpr std::size_t bytes = 544, records = 1, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(block, r, i);
        codes.scale.fill(halfAt(block + 512, r));
        return codes;
    }
};

inline void nibbleCodes(const std::byte* vectors, std::size_t r, Codes& codes) {
    for (std::size_t i = 0; i < 16; ++i) {
        codes.code[i] = interleaved(vectors, r, i) & 15;
        codes.code[i + 16] = interleaved(vectors, r, i) >> 4;
    }
}

struct PanelQ4_0 {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int bias = 8;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        nibbleCodes(block, r, codes);
        codes.scale.fill(halfAt(block + 256, r));
        return codes;
    }
};

struct PanelQ4_1 {
    static constexpr std::size_t bytes = 320, records = 1, minimums = 1;
    static constexpr int bias = 0;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = PanelQ4_0::codes(block, 0, r);
        codes.minimum[0] = halfAt(block + 288, r);
        return codes;
    }
};

struct PanelQ5_0 {
    static constexpr std::size_t bytes = 352, records = 1, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes;
        nibbleCodes(block, r, codes);
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] |= (byteAt(block + 256 + 4 * r + i % 4) >> (i / 4) & 1) << 4;
        codes.scale.fill(halfAt(block + 320, r));
        return codes;
    }
};

struct PanelQ5_1 {
    static constexpr std::size_t bytes = 384, records = 1, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = PanelQ5_0::codes(block, 0, r);
        codes.minimum.fill(halfAt(block + 352, r));
        return codes;
    }
};

struct PanelQ2_K {
    static constexpr std::size_t bytes = 1344, records = 8, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = interleaved(block + 320 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
        for (std::size_t h = 0; h < 2; ++h) {
            const int both = byteAt(block + 64 + (2 * record + h) * 16 + r);
            codes.scale[h] = halfAt(block, r) * static_cast<float>(both & 15);
            codes.minimum[h] = -halfAt(block + 32, r) * static_cast<float>(both >> 4);
        }
        return codes;
    }
};

struct PanelQ3_K {
    static constexpr std::size_t bytes = 1824, records = 8, minimums = 0;
    static constexpr int bias = 4;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int pair = interleaved(block + 800 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
            codes.code[i] = pair | (interleaved(block + 288, r, i) >> record & 1) << 2;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + (2 * record + h) * 16 + r));
        return codes;
    }
};

// Scales and minimums of Q4_K and Q5_K, and codes from their nibbles.
inline Codes affineCodes(const std::byte* block, const std::byte* nibbles, std::size_t record, std::size_t r) {
    Codes codes;
    for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(nibbles + record / 2 * 512, r, i) >> (record % 2 * 4) & 15;
    codes.scale.fill(halfAt(block, r) * static_cast<float>(byteAt(block + 64 + record * 16 + r)));
    codes.minimum.fill(-halfAt(block + 32, r) * static_cast<float>(byteAt(block + 192 + record * 16 + r)));
    return codes;
}

struct PanelQ4_K {
    static constexpr std::size_t bytes = 2368, records = 8, minimums = 1;
    static constexpr int bias = 0;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        return affineCodes(block, block + 320, record, r);
    }
};

struct PanelQ5_K {
    static constexpr std::size_t bytes = 2880, records = 8, minimums = 2;
    static constexpr int bias = 0;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes = affineCodes(block, block + 832, record, r);
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] |= (interleaved(block + 320, r, i) >> record & 1) << 4;
        return codes;
    }
};

struct PanelQ6_K {
    static constexpr std::size_t bytes = 3360, records = 8, minimums = 0;
    static constexpr int bias = 32;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        const std::size_t quarter = record % 4;
        const std::byte* const half = block + 288 + record / 4 * 1536;
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int nibble = interleaved(half + 64 + quarter % 2 * 64, r, i, 192) >> (quarter / 2 * 4) & 15;
            const int pair = interleaved(half, r, i, 192) >> (2 * quarter) & 3;
            codes.code[i] = nibble | pair << 4;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + (2 * record + h) * 16 + r));
        return codes;
    }
};

} // namespace wb::infer::cpu::scalar

// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/lattice.h"
#include "core/infer/cpu/kernels/panel_codes.h"
#include "core/tensor/block_codes.h"
#include "core/tensor/tables.h"

#include <algorithm>

// The same of types whose codes name levels of a table, of ternary ones and of lattices.
namespace wb::infer::cpu::scalar {

// Nibbles that name levels of a table.
template <class Table>
Codes levelCodes(const Table& levels, int bias, const std::byte* vectors, std::size_t r) {
    Codes codes;
    nibbleCodes(vectors, r, codes);
    for (int& code : codes.code) code = levels[static_cast<std::size_t>(code)] + bias;
    return codes;
}

struct PanelIQ4_NL {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = levelCodes(tables::values_iq4, bias, block, r);
        codes.scale.fill(halfAt(block + 256, r));
        return codes;
    }
};

struct PanelIQ4_XS {
    static constexpr std::size_t bytes = 2208, records = 8, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes = levelCodes(tables::values_iq4, bias, block + 160 + record * 256, r);
        codes.scale.fill(halfAt(block, r) * static_cast<float>(signedByteAt(block + 32 + record * 16 + r)));
        return codes;
    }
};

struct PanelMXFP4 {
    static constexpr std::size_t bytes = 272, records = 1, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t, std::size_t r) {
        Codes codes = levelCodes(tables::values_fp4, bias, block, r);
        codes.scale.fill(e8m0HalfToF32(static_cast<std::uint8_t>(byteAt(block + 256 + r))));
        return codes;
    }
};

struct PanelNVFP4 {
    static constexpr std::size_t bytes = 576, records = 2, minimums = 0;
    static constexpr int bias = 16;
    static constexpr bool splits = true;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const int both = interleaved(block + 64 + record * 256, r, i / 16 * 8 + i % 8);
            codes.code[i] = tables::values_fp4[static_cast<std::size_t>(both >> (i / 8 % 2 * 4) & 15)] + bias;
        }
        for (std::size_t h = 0; h < 2; ++h)
            codes.scale[h] = ue4m3HalfToF32(static_cast<std::uint8_t>(byteAt(block + (2 * record + h) * 16 + r)));
        return codes;
    }
};

struct PanelQ8_K {
    static constexpr std::size_t bytes = 4160, records = 8, minimums = 0;
    static constexpr int bias = 128;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = interleaved(block + 64 + record * 512, r, i);
        codes.scale.fill(loadF32(block + 4 * r));
        return codes;
    }
};

// Codes 0 and 2 for the levels -1 and 1.
struct PanelQ1_0 {
    static constexpr std::size_t bytes = 288, records = 4, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) codes.code[i] = (byteAt(block + 32 + record * 64 + 4 * r + i % 4) >> (i / 4) & 1) << 1;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

struct PanelQ2_0 {
    static constexpr std::size_t bytes = 288, records = 2, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = byteAt(block + 32 + record * 128 + i / 16 * 64 + 4 * r + i % 4) >> (i / 4 % 4 * 2) & 3;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

// Which byte of a row and which of its trits is element `i`.
struct TritPlace {
    std::size_t byte;
    unsigned trit;
};
constexpr TritPlace tritPlace(std::size_t i) {
    if (i < 160) return {i % 32, static_cast<unsigned>(i / 32)};
    if (i < 240) return {32 + i % 16, static_cast<unsigned>((i - 160) / 16)};
    return {48 + i % 4, static_cast<unsigned>((i - 240) / 4)};
}

struct PanelTQ1_0 {
    static constexpr std::size_t bytes = 864, records = 8, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i) {
            const TritPlace place = tritPlace(record * 32 + i);
            const auto byte = static_cast<unsigned>(interleaved(block + 32, r, place.byte));
            codes.code[i] = static_cast<int>(layout::tritAt(byte, place.trit));
        }
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

struct PanelTQ2_0 {
    static constexpr std::size_t bytes = 1056, records = 8, minimums = 0;
    static constexpr int bias = 1;
    static constexpr bool splits = false;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        Codes codes;
        for (std::size_t i = 0; i < 32; ++i)
            codes.code[i] = interleaved(block + 32 + record / 4 * 512, r, i) >> (2 * (record % 4)) & 3;
        codes.scale.fill(halfAt(block, r));
        return codes;
    }
};

// Signed codes.
template <class L>
struct PanelPoints {
    static constexpr std::size_t bytes = L::bytes, records = L::records, minimums = 0;
    static constexpr int bias = 0;
    static constexpr bool splits = L::splits;
    static Codes codes(const std::byte* block, std::size_t record, std::size_t r) {
        const LatticeRecord read = L::record(block, record, r);
        Codes codes;
        std::ranges::copy(latticeCodes<L>(read), codes.code.begin());
        codes.scale = read.scale;
        return codes;
    }
};

} // namespace wb::infer::cpu::scalar

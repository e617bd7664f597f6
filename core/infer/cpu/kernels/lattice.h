// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/panels.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/grids.h"
#include "core/tensor/half.h"
#include "core/tensor/lattice_points.h"

#include <array>
#include <cstdint>

// Panels of the lattice types: points of a grid, four or eight columns each. A block is 256 columns of 16 rows, eight records of
// 32. In a record the fields lie row after row, [16] rows each, so that one vector holds the same field of several rows, while the
// points of a row are looked up one by one. Each struct has the layout of its type and reads one record of one row, which is the
// readable form; `Grid` holds the points as bytes.
namespace wb::infer::cpu {

// 32 columns of a row: which points, and what becomes of them.
struct LatticeRecord {
    std::array<std::uint16_t, 8> index{}; // of the grid's points: four of eight columns, or eight of four
    std::uint32_t signs = 0;              // bit i: column i is negative; of IQ1 types, column group i / 8 is moved down
    std::array<float, 2> scale{};         // of the first and the last 16 columns
};

// `points` of a record; `splits`: each half has its own scale; `largest` magnitude of a column's code.
struct LatticePanel {
    static constexpr std::size_t records = 8, points = 4;
    static constexpr bool splits = false, shifts = false;
    static constexpr int largest = 43;
    static float d(const std::byte* block, std::size_t r) { return loadF16(block + 2 * r); }
};

// 16 f16 d, then for each record: [16] u32 of four 7-bit sign codes and a 4-bit scale, [16][4] indices.
struct LatticeIQ2_XXS : LatticePanel {
    static constexpr std::size_t bytes = 1056, first = 32, recordBytes = 128, index = 64;
    static constexpr const auto& grid = grids::iq2Xxs;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// 16 f16 d, [8][16] bytes of two 4-bit scales, then for each record [16][4] u16 of 9 bits of index and a 7-bit sign code.
struct LatticeIQ2_XS : LatticePanel {
    static constexpr std::size_t bytes = 1184, scales = 32, first = 160, recordBytes = 128;
    static constexpr bool splits = true;
    static constexpr const auto& grid = grids::iq2Xs;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// 16 f16 d, [8][16] bytes of two 4-bit scales, [8][16] bytes of four high pairs of bits of indices, then for each record [16][4]
// indices and [16] u32 of signs.
struct LatticeIQ2_S : LatticePanel {
    static constexpr std::size_t bytes = 1312, scales = 32, high = 160, first = 288, recordBytes = 128, signs = 64;
    static constexpr bool splits = true;
    static constexpr const auto& grid = grids::iq2S;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// As IQ2_XXS with [16][8] indices.
struct LatticeIQ3_XXS : LatticePanel {
    static constexpr std::size_t bytes = 1568, points = 8, first = 32, recordBytes = 192, index = 64;
    static constexpr int largest = 62;
    static constexpr const auto& grid = grids::iq3Xxs;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// 16 f16 d, [4][16] bytes of the 4-bit scales of two records, then for each record [16] bytes of the ninth bits of indices, [16]
// u32 of signs, [16][8] indices.
struct LatticeIQ3_S : LatticePanel {
    static constexpr std::size_t bytes = 1760, points = 8, scales = 32, first = 96, recordBytes = 208, signs = 16, index = 80;
    static constexpr int largest = 15;
    static constexpr const auto& grid = grids::iq3S;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// The columns of IQ1 types are eighths: eight times a point of -1, 0 and 1, and one more or one less.
struct LatticeIQ1 : LatticePanel {
    static constexpr bool shifts = true;
    static constexpr int largest = 9;
    static constexpr float unit = 0.125F;
    static constexpr const auto& grid = grids::iq1;
};

// 16 f16 d, then for each record [16] u16 of high bits of indices, a 3-bit scale and the shift, and [16][4] indices.
struct LatticeIQ1_S : LatticeIQ1 {
    static constexpr std::size_t bytes = 800, first = 32, recordBytes = 96, index = 32;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// 16 f16 d, [8][16] bytes of two 3-bit scales, then for each record [16][2] bytes of high bits of indices and shifts, and [16][4]
// indices.
struct LatticeIQ1_M : LatticeIQ1 {
    static constexpr std::size_t bytes = 928, scales = 32, first = 160, recordBytes = 96, index = 32;
    static constexpr bool splits = true;
    static LatticeRecord record(const std::byte* block, std::size_t record, std::size_t r);
};

// ---- the readable form

// Sign codes of 7 bits as signs of 32 columns.
inline std::uint32_t signsOfCodes(std::uint32_t codes) {
    std::uint32_t signs = 0;
    for (unsigned l = 0; l < 4; ++l) signs |= std::uint32_t{tables::signs_7bit[codes >> (7 * l) & 127]} << (8 * l);
    return signs;
}

template <class L>
void readIndices(const std::byte* at, std::size_t r, LatticeRecord& out) {
    for (std::size_t i = 0; i < L::points; ++i)
        out.index[i] = static_cast<std::uint16_t>(loadU8(at + L::index + L::points * r + i));
}

inline LatticeRecord LatticeIQ2_XXS::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    const auto tail = load<std::uint32_t>(at + 4 * r);
    LatticeRecord out;
    readIndices<LatticeIQ2_XXS>(at, r, out);
    out.signs = signsOfCodes(tail);
    out.scale.fill(layout::scaleIq2(d(block, r), tail >> 28));
    return out;
}

// Two scales of 4 bits.
inline void readScalesIq2(float d, unsigned both, LatticeRecord& out) {
    out.scale = {layout::scaleIq2(d, both & 15), layout::scaleIq2(d, both >> 4)};
}

inline LatticeRecord LatticeIQ2_XS::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes + 8 * r;
    LatticeRecord out;
    for (unsigned i = 0; i < points; ++i) {
        const unsigned group = loadU16(at + 2 * i);
        out.index[i] = static_cast<std::uint16_t>(group & 511);
        out.signs |= std::uint32_t{tables::signs_7bit[group >> 9]} << (8 * i);
    }
    readScalesIq2(d(block, r), loadU8(block + scales + record * panelRows + r), out);
    return out;
}

inline LatticeRecord LatticeIQ2_S::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    const unsigned tops = loadU8(block + high + record * panelRows + r);
    LatticeRecord out;
    for (unsigned i = 0; i < points; ++i)
        out.index[i] = static_cast<std::uint16_t>(loadU8(at + 4 * r + i) | (tops >> (2 * i) & 3) << 8);
    out.signs = load<std::uint32_t>(at + signs + 4 * r);
    readScalesIq2(d(block, r), loadU8(block + scales + record * panelRows + r), out);
    return out;
}

inline LatticeRecord LatticeIQ3_XXS::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    const auto tail = load<std::uint32_t>(at + 4 * r);
    LatticeRecord out;
    readIndices<LatticeIQ3_XXS>(at, r, out);
    out.signs = signsOfCodes(tail);
    out.scale.fill(d(block, r) * (0.5F + static_cast<float>(tail >> 28)) * 0.5F);
    return out;
}

inline LatticeRecord LatticeIQ3_S::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    LatticeRecord out;
    readIndices<LatticeIQ3_S>(at, r, out);
    for (std::size_t i = 0; i < points; ++i) out.index[i] |= static_cast<std::uint16_t>((loadU8(at + r) >> i & 1) << 8);
    out.signs = load<std::uint32_t>(at + signs + 4 * r);
    const unsigned code = loadU8(block + scales + record / 2 * panelRows + r) >> (4 * (record % 2)) & 15;
    out.scale.fill(d(block, r) * static_cast<float>(1 + 2 * code));
    return out;
}

// A scale of 3 bits, for codes in eighths.
inline float scaleIq1(float d, unsigned code) { return d * static_cast<float>(2 * code + 1) * LatticeIQ1::unit; }

inline LatticeRecord LatticeIQ1_S::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    const unsigned tail = loadU16(at + 2 * r);
    LatticeRecord out;
    readIndices<LatticeIQ1_S>(at, r, out);
    for (unsigned i = 0; i < points; ++i) out.index[i] |= static_cast<std::uint16_t>((tail >> (3 * i) & 7) << 8);
    out.signs = tail >> 15 != 0 ? ~0U : 0U;
    out.scale.fill(scaleIq1(d(block, r), tail >> 12 & 7));
    return out;
}

inline LatticeRecord LatticeIQ1_M::record(const std::byte* block, std::size_t record, std::size_t r) {
    const std::byte* const at = block + first + record * recordBytes;
    LatticeRecord out;
    readIndices<LatticeIQ1_M>(at, r, out);
    for (unsigned i = 0; i < points; ++i) {
        const unsigned high = loadU8(at + 2 * r + i / 2) >> (4 * (i % 2));
        out.index[i] |= static_cast<std::uint16_t>((high & 7) << 8);
        if ((high & 8) != 0) out.signs |= 0xFFU << (8 * i);
    }
    const unsigned both = loadU8(block + scales + record * panelRows + r);
    out.scale = {scaleIq1(d(block, r), both & 7), scaleIq1(d(block, r), both >> 3)};
    return out;
}

// The codes of the 32 columns.
template <class L>
std::array<std::int8_t, 32> latticeCodes(const LatticeRecord& record) {
    constexpr std::size_t perPoint = 32 / L::points;
    std::array<std::int8_t, 32> codes;
    for (std::size_t i = 0; i < 32; ++i) {
        const int coordinate = static_cast<std::int8_t>(L::grid[record.index[i / perPoint]] >> (8 * (i % perPoint)) & 255);
        const bool isNegative = (record.signs >> i & 1) != 0;
        const int code = L::shifts ? 8 * coordinate + (isNegative ? -1 : 1) : isNegative ? -coordinate : coordinate;
        codes[i] = static_cast<std::int8_t>(code);
    }
    return codes;
}

} // namespace wb::infer::cpu

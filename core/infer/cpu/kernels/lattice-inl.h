// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// How the vectors of a target read lattices (lattice.h). On x86 a vector of 256 bits is 32 columns of one row, whose points are
// looked up one by one. Before that, the indices, signs and scales of several rows are computed at once.
#if defined(WB_INFER_LATTICE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_LATTICE_INL_H
#undef WB_INFER_LATTICE_INL_H
#else
#define WB_INFER_LATTICE_INL_H
#endif

#include "core/infer/cpu/kernels/lattice.h"
#include "core/infer/cpu/kernels/sums-inl.h"

#include <algorithm>
#include <type_traits>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

#if WB_PAIR_SUMS
// A record of all rows.
template <class L>
struct LatticeRows {
    alignas(32) std::uint16_t index[panelRows][L::points]; // not written where the panel holds whole indices as bytes
    alignas(32) std::uint32_t signs[panelRows];            // of types that shift, byte g is 2 where group g is moved up, else 0
    alignas(32) float scales[2][panelRows];
};

// Types whose indices are bytes and nothing else.
template <class L>
constexpr bool hasByteIndices = std::is_same_v<L, LatticeIQ2_XXS> || std::is_same_v<L, LatticeIQ3_XXS>;

HWY_INLINE __m256i load256(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
HWY_INLINE __m128i load64(const void* at) { return _mm_loadl_epi64(static_cast<const __m128i*>(at)); }
HWY_INLINE __m128i load128(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
HWY_INLINE void store256(void* at, __m256i value) { _mm256_store_si256(static_cast<__m256i*>(at), value); }
HWY_INLINE __m256i both128(__m128i value) { return _mm256_broadcastsi128_si256(value); }

// ---- scales

// Eight bytes as whole numbers.
HWY_INLINE __m256i eightBytes(const std::byte* at) { return _mm256_cvtepu8_epi32(load64(at)); }

// d times (0.5 + code) times `unit`, as scaleIq2() and its neighbor compute it.
HWY_INLINE __m256 halfScales(__m256 d, __m256i codes, float unit) {
    const __m256 steps = _mm256_add_ps(_mm256_set1_ps(0.5F), _mm256_cvtepi32_ps(codes));
    return _mm256_mul_ps(_mm256_mul_ps(d, steps), _mm256_set1_ps(unit));
}

// d times (2 code + 1) times `unit`.
HWY_INLINE __m256 oddScales(__m256 d, __m256i codes, float unit) {
    const __m256i odd = _mm256_add_epi32(_mm256_add_epi32(codes, codes), _mm256_set1_epi32(1));
    return _mm256_mul_ps(_mm256_mul_ps(d, _mm256_cvtepi32_ps(odd)), _mm256_set1_ps(unit));
}

HWY_INLINE __m256i lowBits(__m256i codes, int bits) { return _mm256_and_si256(codes, _mm256_set1_epi32((1 << bits) - 1)); }

template <class L>
HWY_INLINE void writeScales(const std::byte* block, std::size_t record, const __m256 (&d)[2], LatticeRows<L>& to) {
    const std::byte* const at = block + L::first + record * L::recordBytes;
    WB_UNROLL for (std::size_t s = 0; s < 2; ++s) {
        const std::size_t r = 8 * s;
        __m256 low, high;
        if constexpr (hasByteIndices<L>) {
            const __m256i codes = _mm256_srli_epi32(load256(at + 4 * r), 28);
            low = halfScales(d[s], codes, std::is_same_v<L, LatticeIQ2_XXS> ? 0.25F : 0.5F);
        } else if constexpr (std::is_same_v<L, LatticeIQ3_S>) {
            const __m256i both = eightBytes(block + L::scales + record / 2 * panelRows + r);
            low = oddScales(d[s], record % 2 == 0 ? lowBits(both, 4) : _mm256_srli_epi32(both, 4), 1.0F);
        } else if constexpr (std::is_same_v<L, LatticeIQ1_S>) {
            const __m256i tails = _mm256_cvtepu16_epi32(load128(at + 2 * r));
            low = oddScales(d[s], lowBits(_mm256_srli_epi32(tails, 12), 3), L::unit);
        } else if constexpr (std::is_same_v<L, LatticeIQ1_M>) {
            const __m256i both = eightBytes(block + L::scales + record * panelRows + r);
            low = oddScales(d[s], lowBits(both, 3), L::unit);
            high = oddScales(d[s], _mm256_srli_epi32(both, 3), L::unit);
        } else {
            const __m256i both = eightBytes(block + L::scales + record * panelRows + r);
            low = halfScales(d[s], lowBits(both, 4), 0.25F);
            high = halfScales(d[s], _mm256_srli_epi32(both, 4), 0.25F);
        }
        _mm256_store_ps(to.scales[0] + r, low);
        if constexpr (L::splits) _mm256_store_ps(to.scales[1] + r, high);
    }
}

// ---- signs

// Bytes of 7-bit sign codes with their eighth bit, which makes the number of set bits even.
HWY_INLINE __m256i withParity(__m256i codes) {
    const __m256i folded = _mm256_and_si256(_mm256_xor_si256(codes, _mm256_srli_epi32(codes, 4)), _mm256_set1_epi8(15));
    constexpr char odd = static_cast<char>(0x80);
    const __m256i tops = _mm256_setr_epi8(0, odd, odd, 0, odd, 0, 0, odd, odd, 0, 0, odd, 0, odd, odd, 0, 0, odd, odd, 0, odd, 0, 0,
                                          odd, odd, 0, 0, odd, 0, odd, odd, 0);
    return _mm256_or_si256(codes, _mm256_shuffle_epi8(tops, folded));
}

// Four 7-bit codes of each word as bytes.
HWY_INLINE __m256i sevenBitsAsBytes(__m256i words) {
    const auto part = [&](__m256i shifted, int mask) HWY_ATTR { return _mm256_and_si256(shifted, _mm256_set1_epi32(mask)); };
    const __m256i low = _mm256_or_si256(part(words, 0x7F), part(_mm256_slli_epi32(words, 1), 0x7F00));
    const __m256i high =
        _mm256_or_si256(part(_mm256_slli_epi32(words, 2), 0x7F0000), part(_mm256_slli_epi32(words, 3), 0x7F000000));
    return _mm256_or_si256(low, high);
}

// ---- indices

// 16 bytes, in every half of a vector, to 16-bit numbers: byte `from(i)` of number i.
HWY_INLINE __m256i spread(__m128i bytes, __m256i from) { return _mm256_shuffle_epi8(both128(bytes), from); }

// For `spread`: rows 4q … 4q + 3 with four numbers each, of the row's one byte.
HWY_INLINE __m256i fourOfByte(int q) {
    const __m256i rows = _mm256_setr_epi64x(0x8000800080008000, 0x8001800180018001, 0x8002800280028002, 0x8003800380038003);
    return _mm256_add_epi8(rows, _mm256_set1_epi16(static_cast<short>(4 * q)));
}

template <class L>
HWY_INLINE void writeRecord(const std::byte* block, std::size_t record, LatticeRows<L>& to) {
    const std::byte* const at = block + L::first + record * L::recordBytes;
    if constexpr (hasByteIndices<L>) {
        WB_UNROLL for (std::size_t r = 0; r < panelRows; r += 8) {
            store256(to.signs + r, withParity(sevenBitsAsBytes(load256(at + 4 * r))));
        }
    } else if constexpr (std::is_same_v<L, LatticeIQ2_XS>) {
        WB_UNROLL for (std::size_t r = 0; r < panelRows; r += 8) {
            const __m256i first = load256(at + 8 * r), second = load256(at + 8 * r + 32);
            store256(to.index[r], _mm256_and_si256(first, _mm256_set1_epi16(511)));
            store256(to.index[r + 4], _mm256_and_si256(second, _mm256_set1_epi16(511)));
            const __m256i codes = _mm256_packus_epi16(_mm256_srli_epi16(first, 9), _mm256_srli_epi16(second, 9));
            store256(to.signs + r, withParity(_mm256_permute4x64_epi64(codes, 0xD8)));
        }
    } else if constexpr (std::is_same_v<L, LatticeIQ2_S>) {
        const __m128i tops = load128(block + L::high + record * panelRows);
        const __m256i places = _mm256_set1_epi64x(0x0004001000400100); // pairs to bits 8 and 9
        WB_UNROLL for (int q = 0; q < 4; ++q) {
            const __m256i high =
                _mm256_and_si256(_mm256_mullo_epi16(spread(tops, fourOfByte(q)), places), _mm256_set1_epi16(0x300));
            store256(to.index[4 * q], _mm256_or_si256(_mm256_cvtepu8_epi16(load128(at + 16 * q)), high));
        }
        WB_UNROLL for (std::size_t r = 0; r < panelRows; r += 8) { store256(to.signs + r, load256(at + L::signs + 4 * r)); }
    } else if constexpr (std::is_same_v<L, LatticeIQ3_S>) {
        const __m128i tops = load128(at);
        const __m256i places = both128(_mm_setr_epi16(256, 128, 64, 32, 16, 8, 4, 2)); // bits to bit 8
        WB_UNROLL for (int q = 0; q < 8; ++q) {                                        // two rows
            const __m256i from = _mm256_setr_m128i(_mm_set1_epi16(static_cast<short>(0x8000 + 2 * q)),
                                                   _mm_set1_epi16(static_cast<short>(0x8001 + 2 * q)));
            const __m256i high = _mm256_and_si256(_mm256_mullo_epi16(spread(tops, from), places), _mm256_set1_epi16(0x100));
            store256(to.index[2 * q], _mm256_or_si256(_mm256_cvtepu8_epi16(load128(at + L::index + 16 * q)), high));
        }
        WB_UNROLL for (std::size_t r = 0; r < panelRows; r += 8) { store256(to.signs + r, load256(at + L::signs + 4 * r)); }
    } else if constexpr (std::is_same_v<L, LatticeIQ1_S>) {
        const __m256i rows = _mm256_setr_epi64x(0x0100010001000100, 0x0302030203020302, 0x0504050405040504, 0x0706070607060706);
        const __m256i places = _mm256_set1_epi64x(0x0001000800400200); // bits 3l … of a row to bits 9 … of number l
        WB_UNROLL for (int q = 0; q < 4; ++q) {
            const __m256i moved = _mm256_mullo_epi16(spread(load64(at + 8 * q), rows), places);
            const __m256i high = _mm256_and_si256(_mm256_srli_epi16(moved, 1), _mm256_set1_epi16(0x700));
            store256(to.index[4 * q], _mm256_or_si256(_mm256_cvtepu8_epi16(load128(at + L::index + 16 * q)), high));
        }
        WB_UNROLL for (std::size_t r = 0; r < panelRows; r += 8) {
            const __m256i down = _mm256_srai_epi32(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load128(at + 2 * r)), 16), 31);
            store256(to.signs + r, _mm256_andnot_si256(down, _mm256_set1_epi8(2)));
        }
    } else {
        static_assert(std::is_same_v<L, LatticeIQ1_M>);
        const __m256i rows = _mm256_setr_epi64x(0x8001800180008000, 0x8003800380028002, 0x8005800580048004, 0x8007800780068006);
        const __m256i places = _mm256_set1_epi32(0x00100100); // both nibbles of a byte to bits 8 …
        WB_UNROLL for (int q = 0; q < 4; ++q) {
            const __m256i high = _mm256_mullo_epi16(spread(load64(at + 8 * q), rows), places);
            const __m256i index = _mm256_and_si256(high, _mm256_set1_epi16(0x700));
            store256(to.index[4 * q], _mm256_or_si256(_mm256_cvtepu8_epi16(load128(at + L::index + 16 * q)), index));
            // 2 where bit 11 is clear.
            const __m256i up = _mm256_andnot_si256(_mm256_srli_epi16(high, 10), _mm256_set1_epi16(2));
            const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(up, up), 0x08);
            _mm_store_si128(reinterpret_cast<__m128i*>(to.signs + 4 * q), _mm256_castsi256_si128(bytes));
        }
    }
}

// Makes the compiler read the record from memory: it would take each index out of the vector that it was stored from.
template <class L>
HWY_INLINE void readFromMemory(LatticeRows<L>& rows) {
#if defined(__GNUC__)
    __asm__("" : "+m"(rows));
#endif
}

// ---- columns of a row

// The points of IQ1 types as 0, 8 and 16.
inline constexpr auto pointsFromZero = [] {
    std::array<std::uint64_t, grids::iq1.size()> points{};
    for (std::size_t i = 0; i < points.size(); ++i)
        for (unsigned c = 0; c < 8; ++c)
            points[i] |= static_cast<std::uint64_t>(((grids::iq1[i] >> (8 * c) & 3) + 1) % 4 * 8) << (8 * c);
    return points;
}();

template <class L>
HWY_INLINE std::size_t pointIndex(const std::byte* at, const LatticeRows<L>& rows, std::size_t r, std::size_t i) {
    if constexpr (hasByteIndices<L>) return loadU8(at + L::index + L::points * r + i);
    else return rows.index[r][i];
}

// The points of 32 columns, without signs; of types that shift, their codes plus 9.
template <class L>
HWY_INLINE __m256i rowPoints(const std::byte* at, const LatticeRows<L>& rows, std::size_t r) {
    const auto point = [&](std::size_t i) HWY_ATTR {
        if constexpr (L::shifts) return static_cast<long long>(pointsFromZero[pointIndex(at, rows, r, i)]);
        else if constexpr (L::points == 4) return static_cast<long long>(L::grid[pointIndex(at, rows, r, i)]);
        else return static_cast<int>(L::grid[pointIndex(at, rows, r, i)]);
    };
    __m256i points;
    if constexpr (L::points == 4) points = _mm256_setr_epi64x(point(0), point(1), point(2), point(3));
    else points = _mm256_setr_epi32(point(0), point(1), point(2), point(3), point(4), point(5), point(6), point(7));
    if constexpr (L::shifts) {
        const __m256i each = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
        const __m256i ups = _mm256_set1_epi32(static_cast<int>(rows.signs[r]));
        points = _mm256_add_epi8(points, _mm256_shuffle_epi8(ups, each));
    }
    return points;
}

// `values` of 32 columns, negative ones where bit i of the signs is set.
HWY_INLINE __m256i withColumnSigns(__m256i values, std::uint32_t signs) {
#if HWY_TARGET == HWY_AVX2
    const __m256i each = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201U));
    const __m256i bits = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(signs)), each), bit);
    const __m256i negative = _mm256_cmpeq_epi8(bits, bit);
    return _mm256_sign_epi8(values, _mm256_or_si256(negative, _mm256_set1_epi8(1)));
#else
    return _mm256_mask_sub_epi8(values, signs, _mm256_setzero_si256(), values);
#endif
}

// ---- a record for other kernels

// Eight rows of eight words become eight columns.
HWY_INLINE void transposeWords(const __m256i (&rows)[8], __m256i (&out)[8]) {
    __m256i a[8], b[8];
    WB_UNROLL for (int i = 0; i < 8; i += 2) {
        a[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
        a[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    WB_UNROLL for (int i = 0; i < 8; i += 4) {
        WB_UNROLL for (int k = 0; k < 2; ++k) {
            b[i + 2 * k] = _mm256_unpacklo_epi64(a[i + k], a[i + k + 2]);
            b[i + 2 * k + 1] = _mm256_unpackhi_epi64(a[i + k], a[i + k + 2]);
        }
    }
    WB_UNROLL for (int i = 0; i < 4; ++i) {
        out[i] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x20);
        out[i + 4] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x31);
    }
}

// d of all rows.
HWY_INLINE void loadD(const std::byte* block, __m256 (&d)[2]) {
    d[0] = _mm256_cvtph_ps(load128(block));
    d[1] = _mm256_cvtph_ps(load128(block + 16));
}

// The signed codes of a record, in vectors of four columns of each row, and its scales.
template <class L>
HWY_INLINE void unpackRecord(const std::byte* block, std::size_t record, std::int8_t (*codes)[64], float (*scales)[panelRows]) {
    const std::byte* const at = block + L::first + record * L::recordBytes;
    LatticeRows<L> rows;
    __m256 d[2];
    loadD(block, d);
    writeScales(block, record, d, rows);
    writeRecord(block, record, rows);
    readFromMemory(rows);
    for (std::size_t first = 0; first < panelRows; first += 8) {
        __m256i row[8], column[8];
        WB_UNROLL for (std::size_t r = 0; r < 8; ++r) {
            row[r] = rowPoints(at, rows, first + r);
            if constexpr (L::shifts) row[r] = _mm256_sub_epi8(row[r], _mm256_set1_epi8(L::largest));
            else row[r] = withColumnSigns(row[r], rows.signs[first + r]);
        }
        transposeWords(row, column);
        WB_UNROLL for (std::size_t j = 0; j < 8; ++j) { store256(codes[j] + 4 * first, column[j]); }
    }
    std::copy_n(rows.scales[0], L::splits ? 2 * panelRows : panelRows, scales[0]);
}
#else
template <class L>
void unpackRecord(const std::byte* block, std::size_t record, std::int8_t (*codes)[64], float (*scales)[panelRows]) {
    for (std::size_t r = 0; r < panelRows; ++r) {
        const LatticeRecord read = L::record(block, record, r);
        const auto row = latticeCodes<L>(read);
        for (std::size_t i = 0; i < row.size(); ++i) codes[i / 4][4 * r + i % 4] = row[i];
        for (std::size_t h = 0; h < 2; ++h) scales[h][r] = read.scale[h];
    }
}
#endif

// A lattice as a panel whose codes are read column by column: its blocks have to be unpacked before. The bias makes signed codes
// unsigned.
template <class L>
struct UnpackedLattice {
    static constexpr std::size_t bytes = L::bytes, records = L::records, minimums = 0;
    static constexpr int biasShift = L::largest <= 16 ? 4 : 6, largest = L::largest + (1 << biasShift);
    static_assert(L::largest <= 1 << biasShift);
    static constexpr bool splits = L::splits;

    // An unpacked block: for each record 8 vectors of codes and [2][16] scales.
    static constexpr std::size_t recordBytes = 640, recordStride = recordBytes, unpackedBytes = records * recordBytes;
    static void unpack(const std::byte* block, std::byte* to) {
        for (std::size_t record = 0; record < records; ++record, to += recordBytes) {
            auto* const codes = reinterpret_cast<std::int8_t(*)[64]>(to);
            unpackRecord<L>(block, record, codes, reinterpret_cast<float(*)[panelRows]>(to + 512));
            for (std::size_t i = 0; i < 512; i += 4 * lanes) {
                auto* const at = reinterpret_cast<std::uint8_t*>(to + i);
                hn::Store(hn::Add(hn::Load(Bytes(), at), hn::Set(Bytes(), std::uint8_t{1U << biasShift})), Bytes(), at);
            }
        }
    }

    // Of an unpacked block.
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return vectorAt(block + record * recordBytes + 64 * j, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::LoadU(Floats(), floats(block + record * recordBytes + 512) + r);
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::LoadU(Floats(), floats(block + record * recordBytes + 576) + r);
    }
};

// Calls set<L>(type) for every lattice.
template <class Set>
void eachLattice(Set set) {
    set.template operator()<LatticeIQ1_S>(PanelType::IQ1_S);
    set.template operator()<LatticeIQ1_M>(PanelType::IQ1_M);
    set.template operator()<LatticeIQ2_XXS>(PanelType::IQ2_XXS);
    set.template operator()<LatticeIQ2_XS>(PanelType::IQ2_XS);
    set.template operator()<LatticeIQ2_S>(PanelType::IQ2_S);
    set.template operator()<LatticeIQ3_XXS>(PanelType::IQ3_XXS);
    set.template operator()<LatticeIQ3_S>(PanelType::IQ3_S);
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

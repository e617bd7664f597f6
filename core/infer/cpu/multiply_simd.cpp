// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/multiply_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

// GCC 12 unrolls at -O2 only where a pragma asks for it, and arrays of vectors stay in registers only where every index is a
// constant.
#if defined(__clang__)
#define WB_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define WB_UNROLL _Pragma("GCC unroll 16")
#else
#define WB_UNROLL
#endif

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the readable form is as good.
MultiplyForms plainForms() { return {}; }
MultiplyForms vnniForms() { return {}; }
MultiplyForms amxForms() { return {}; }
#else

namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A lane is a row of the panel; a vector covers `lanes` of its 16 rows and a panel `slices` vectors.
using Floats = hn::CappedTag<float, panelRows>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using Bytes = hn::Repartition<std::uint8_t, Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using VB = hn::Vec<Bytes>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());
constexpr std::size_t slices = panelRows / lanes;

HWY_INLINE const std::uint8_t* raw(const std::byte* at) { return reinterpret_cast<const std::uint8_t*>(at); }
HWY_INLINE const float* floats(const std::byte* at) { return reinterpret_cast<const float*>(at); }
HWY_INLINE const std::int32_t* ints(const std::byte* at) { return reinterpret_cast<const std::int32_t*>(at); }

HWY_INLINE VF loadHalves(const std::byte* at) {
    return hn::PromoteTo(Floats(), hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(at)));
}

// ---- integer dot products: four unsigned codes of each row times the same four signed codes of a token

// Any target, four multiplications.
HWY_INLINE VI dotPortable(VI sum, VB codes, const std::byte* four) {
    const Ints d;
    const auto words = hn::BitCast(Words(), codes);
    const auto byte = hn::Set(Words(), 255u);
    const auto* const x = reinterpret_cast<const std::int8_t*>(four);
    sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(words, byte)), hn::Set(d, std::int32_t{x[0]})));
    sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(hn::ShiftRight<8>(words), byte)), hn::Set(d, std::int32_t{x[1]})));
    sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(hn::ShiftRight<16>(words), byte)), hn::Set(d, std::int32_t{x[2]})));
    return hn::Add(sum, hn::Mul(hn::BitCast(d, hn::ShiftRight<24>(words)), hn::Set(d, std::int32_t{x[3]})));
}

// `largest` is the largest code: the sums of pairs in 16 bits hold up to 129.
struct PlainDot {
    template <int largest>
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
        const auto x = hn::BitCast(Bytes(), hn::Set(Ints(), *ints(four))).raw;
        if constexpr (largest <= 129) return pairs(sum, codes, x);
        else return widened(sum, codes, x);
#else
        return dotPortable(sum, codes, four);
#endif
    }

#if HWY_TARGET == HWY_AVX2
    static HWY_INLINE VI pairs(VI sum, VB codes, __m256i x) {
        const __m256i ones = _mm256_set1_epi16(1);
        return VI{_mm256_add_epi32(sum.raw, _mm256_madd_epi16(_mm256_maddubs_epi16(codes.raw, x), ones))};
    }
    static HWY_INLINE VI widened(VI sum, VB codes, __m256i x) {
        const __m256i even = _mm256_and_si256(codes.raw, _mm256_set1_epi16(255)), odd = _mm256_srli_epi16(codes.raw, 8);
        const __m256i evenX = _mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8), oddX = _mm256_srai_epi16(x, 8);
        return VI{_mm256_add_epi32(sum.raw, _mm256_add_epi32(_mm256_madd_epi16(even, evenX), _mm256_madd_epi16(odd, oddX)))};
    }
#elif HWY_TARGET == HWY_AVX3
    static HWY_INLINE VI pairs(VI sum, VB codes, __m512i x) {
        const __m512i ones = _mm512_set1_epi16(1);
        return VI{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(_mm512_maddubs_epi16(codes.raw, x), ones))};
    }
    static HWY_INLINE VI widened(VI sum, VB codes, __m512i x) {
        const __m512i even = _mm512_and_si512(codes.raw, _mm512_set1_epi16(255)), odd = _mm512_srli_epi16(codes.raw, 8);
        const __m512i evenX = _mm512_srai_epi16(_mm512_slli_epi16(x, 8), 8), oddX = _mm512_srai_epi16(x, 8);
        return VI{_mm512_add_epi32(sum.raw, _mm512_add_epi32(_mm512_madd_epi16(even, evenX), _mm512_madd_epi16(odd, oddX)))};
    }
#endif
};

// Highway 1.0's AVX3 does not include VNNI, and its AVX3_DL asks for more than VNNI; so the one instruction is written out.
#if HWY_TARGET == HWY_AVX3 && defined(__GNUC__)
#define WB_VNNI 1
struct VnniDot {
    template <int>
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        __asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(sum.raw) : "v"(codes.raw), "m"(*ints(four)));
        return sum;
    }
};
#else
#define WB_VNNI 0
#endif

// ---- panels: where the codes and scales of 32 columns lie. `r` is the first row of the slice.

HWY_INLINE VB vectorAt(const std::byte* at, std::size_t r) { return hn::LoadU(Bytes(), raw(at) + 4 * r); }
HWY_INLINE VB low(VB bytes) { return hn::And(bytes, hn::Set(Bytes(), std::uint8_t{15})); }
HWY_INLINE VB high(VB bytes) {
    const hn::Repartition<std::uint16_t, Floats> d16;
    return low(hn::BitCast(Bytes(), hn::ShiftRight<4>(hn::BitCast(d16, bytes))));
}

struct PanelQ8_0 {
    static constexpr std::size_t bytes = 544, records = 1;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = false, hasMinimum = false;
    template <std::size_t>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t j, std::size_t r) {
        return vectorAt(block + 64 * j, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 512 + 2 * r); }
};

struct PanelQ4_0 {
    static constexpr std::size_t bytes = 288, records = 1;
    static constexpr int biasShift = 3, largest = 15;
    static constexpr bool splits = false, hasMinimum = false;
    template <std::size_t>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t j, std::size_t r) {
        const VB both = vectorAt(block + 64 * (j % 4), r);
        return j < 4 ? low(both) : high(both);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 256 + 2 * r); }
};

struct PanelQ4_1 : PanelQ4_0 {
    static constexpr std::size_t bytes = 320;
    static constexpr int biasShift = -1;
    static constexpr bool hasMinimum = true;
    static HWY_INLINE VF addMinimum(const std::byte* block, std::size_t, std::size_t r, VF offset, VF sum) {
        return hn::MulAdd(loadHalves(block + 288 + 2 * r), offset, sum);
    }
};

HWY_INLINE VF unsignedBytes(const std::byte* at) {
    const hn::Rebind<std::uint8_t, Floats> d8;
    return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(d8, raw(at))));
}
HWY_INLINE VF signedBytes(const std::byte* at) {
    const hn::Rebind<std::int8_t, Floats> d8;
    return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(at))));
}

struct PanelQ4_K {
    static constexpr std::size_t bytes = 2368, records = 8;
    static constexpr int biasShift = -1, largest = 15;
    static constexpr bool splits = false, hasMinimum = true;
    template <std::size_t record>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t j, std::size_t r) {
        const VB both = vectorAt(block + 320 + record / 2 * 512 + 64 * j, r);
        return record % 2 == 0 ? low(both) : high(both);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), unsignedBytes(block + 64 + record * 16 + r));
    }
    static HWY_INLINE VF addMinimum(const std::byte* block, std::size_t record, std::size_t r, VF offset, VF sum) {
        return hn::NegMulAdd(hn::Mul(loadHalves(block + 32 + 2 * r), unsignedBytes(block + 192 + record * 16 + r)), offset, sum);
    }
};

struct PanelQ6_K {
    static constexpr std::size_t bytes = 3360, records = 8;
    static constexpr int biasShift = 5, largest = 63;
    static constexpr bool splits = true, hasMinimum = false;
    template <std::size_t record>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t j, std::size_t r) {
        constexpr std::size_t quarter = record % 4;
        const std::byte* const at = block + 288 + record / 4 * 1536;
        const VB both = vectorAt(at + 64 * (quarter % 2 * 8 + j), r);
        const hn::Repartition<std::uint16_t, Floats> d16;
        const auto pairs = hn::BitCast(d16, vectorAt(at + 1024 + 64 * j, r));
        const auto mask = hn::Set(Bytes(), std::uint8_t{0x30});
        if constexpr (quarter == 0) return hn::Or(low(both), hn::And(hn::BitCast(Bytes(), hn::ShiftLeft<4>(pairs)), mask));
        else if constexpr (quarter == 1) return hn::Or(low(both), hn::And(hn::BitCast(Bytes(), hn::ShiftLeft<2>(pairs)), mask));
        else if constexpr (quarter == 2) return hn::Or(high(both), hn::And(hn::BitCast(Bytes(), pairs), mask));
        else return hn::Or(high(both), hn::And(hn::BitCast(Bytes(), hn::ShiftRight<2>(pairs)), mask));
    }
    // Of the first 16 columns; those of the last 16 lie 16 bytes on.
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), signedBytes(block + 32 + record * 32 + r));
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), signedBytes(block + 48 + record * 32 + r));
    }
};

struct PanelCoded {
    static constexpr std::size_t bytes = 768, records = 1;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = true, hasMinimum = false;
    template <std::size_t>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t j, std::size_t r) {
        return vectorAt(block + 64 * j, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) {
        return hn::LoadU(Floats(), floats(block + 512) + r);
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t, std::size_t r) {
        return hn::LoadU(Floats(), floats(block + 576) + r);
    }
};

// ---- one block

// Minus the bias times the sum of a token's codes.
template <class Panel>
HWY_INLINE VI startOf(std::int32_t negativeSum) {
    if constexpr (Panel::biasShift < 0) return hn::Zero(Ints());
    else return hn::ShiftLeft<Panel::biasShift>(hn::Set(Ints(), negativeSum));
}

template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t first, std::size_t end>
HWY_INLINE void dotTokens(const std::byte* block, const std::byte* x, std::size_t r, VI* HWY_RESTRICT sums) {
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        const VB codes = Panel::template codes<record>(block, j, r);
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
            sums[t] = Dot::template add<Panel::largest>(sums[t], codes, x + t * recordColumns + j * 4);
        }
    }
}

template <std::size_t T>
HWY_INLINE void fold(const VI* HWY_RESTRICT sums, VF rowScale, const std::byte* x, VF* HWY_RESTRICT acc) {
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
        const VF scale = hn::Mul(rowScale, hn::Set(Floats(), floats(x + Record<T>::scale)[t]));
        acc[t] = hn::MulAdd(hn::ConvertTo(Floats(), sums[t]), scale, acc[t]);
    }
}

// Each half's minimum times the sum of a token's values there.
template <std::size_t T>
HWY_INLINE void addMinimums(const std::byte* block, const std::byte* x, std::size_t r, VF* HWY_RESTRICT acc) {
    using R = Record<T>;
    const VF first = hn::LoadU(Floats(), floats(block + 640) + r), last = hn::LoadU(Floats(), floats(block + 704) + r);
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
        const float scale = floats(x + R::scale)[t];
        const float low = scale * static_cast<float>(-ints(x + R::low)[t]),
                    high = scale * static_cast<float>(-ints(x + R::high)[t]);
        acc[t] = hn::MulAdd(first, hn::Set(Floats(), low), acc[t]);
        acc[t] = hn::MulAdd(last, hn::Set(Floats(), high), acc[t]);
    }
}

// Adds 32 columns of one slice of a panel to the sums of T tokens.
template <class Panel, class Dot, std::size_t record, std::size_t T>
HWY_INLINE void addRecord(const std::byte* block, const std::byte* x, std::size_t r, VF* HWY_RESTRICT acc) {
    using R = Record<T>;
    VI sums[T];
    const std::int32_t* const lowSums = ints(x + R::low);
    const std::int32_t* const highSums = ints(x + R::high);
    if constexpr (Panel::splits) {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = startOf<Panel>(lowSums[t]); }
        dotTokens<Panel, Dot, record, T, 0, 4>(block, x, r, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = startOf<Panel>(highSums[t]); }
        dotTokens<Panel, Dot, record, T, 4, 8>(block, x, r, sums);
        fold<T>(sums, Panel::secondScale(block, record, r), x, acc);
    } else {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = startOf<Panel>(lowSums[t] + highSums[t]); }
        dotTokens<Panel, Dot, record, T, 0, 8>(block, x, r, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
    }
    if constexpr (Panel::hasMinimum) {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
            acc[t] = Panel::addMinimum(block, record, r, hn::Set(Floats(), floats(x + R::offset)[t]), acc[t]);
        }
    }
    if constexpr (std::is_same_v<Panel, PanelCoded>) addMinimums<T>(block, x, r, acc);
}

template <class Panel, class Dot, std::size_t T, std::size_t... record>
HWY_INLINE void addBlock(std::index_sequence<record...>, const std::byte* block, const std::byte* x, std::size_t r,
                         VF* HWY_RESTRICT acc) {
    (addRecord<Panel, Dot, record, T>(block, x + record * Record<T>::bytes, r, acc), ...);
}

// ---- whole panels

constexpr std::size_t prefetchBytes = 2048;

template <class Panel, class Dot, std::size_t T, std::size_t panels>
void multiplyIntegers(const Product& p) {
    VF acc[panels][slices][T];
    for (auto& panel : acc)
        for (auto& slice : panel)
            for (VF& sum : slice) sum = hn::Zero(Floats());
    const std::byte* x = p.activations;
    for (std::size_t b = 0; b < p.blocks; ++b, x += Panel::records * Record<T>::bytes) {
        WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
            const std::byte* const block = p.panel + n * p.panelBytes + b * Panel::bytes;
            if constexpr (T == 1)
                for (std::size_t line = 0; line < Panel::bytes; line += 64) hwy::Prefetch(raw(block) + prefetchBytes + line);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                addBlock<Panel, Dot, T>(std::make_index_sequence<Panel::records>(), block, x, s * lanes, acc[n][s]);
            }
        }
    }
    WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
                hn::StoreU(acc[n][s][t], Floats(), p.out + t * p.stride + n * panelRows + s * lanes);
            }
        }
    }
}

template <class Stored>
HWY_INLINE VF loadWeights(const std::byte* at) {
    if constexpr (std::is_same_v<Stored, float>) return hn::LoadU(Floats(), floats(at));
    else return hn::PromoteTo(Floats(), hn::LoadU(hn::Rebind<Stored, Floats>(), reinterpret_cast<const Stored*>(at)));
}

template <class Stored, std::size_t T, std::size_t panels>
HWY_INLINE void multiplySlice(const Product& p, std::size_t r) {
    VF acc[panels][T];
    for (auto& panel : acc)
        for (VF& sum : panel) sum = hn::Zero(Floats());
    const float* x = floats(p.activations);
    const std::byte* weights = p.panel + r * sizeof(Stored);
    for (std::size_t k = 0; k < p.blocks; ++k, x += T, weights += panelRows * sizeof(Stored)) {
        WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
            const VF w = loadWeights<Stored>(weights + n * p.panelBytes);
            WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[n][t] = hn::MulAdd(w, hn::Set(Floats(), x[t]), acc[n][t]); }
        }
    }
    WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { hn::StoreU(acc[n][t], Floats(), p.out + t * p.stride + n * panelRows + r); }
    }
}

template <class Stored, std::size_t T, std::size_t panels>
void multiplyFloats(const Product& p) {
    for (std::size_t s = 0; s < slices; ++s) multiplySlice<Stored, T, panels>(p, s * lanes);
}

template <class Dot, std::size_t T, std::size_t panels>
std::array<Multiply, panelTypes> forms() {
    return {multiplyFloats<float, T, panels>,
            multiplyFloats<hwy::float16_t, T, panels>,
            multiplyFloats<hwy::bfloat16_t, T, panels>,
            multiplyIntegers<PanelQ8_0, Dot, T, panels>,
            multiplyIntegers<PanelQ4_0, Dot, T, panels>,
            multiplyIntegers<PanelQ4_1, Dot, T, panels>,
            multiplyIntegers<PanelQ4_K, Dot, T, panels>,
            multiplyIntegers<PanelQ6_K, Dot, T, panels>,
            multiplyIntegers<PanelCoded, Dot, T, panels>};
}

#if WB_VNNI
// ---- two groups by the tile registers of AMX (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter
// 18): one instruction multiplies 32 codes of 16 tokens by those of 16 rows. Highway has no such vectors, so the instructions are
// written out.

constexpr std::size_t tileTokens = 2 * groupTokens;

// Register 0 holds sums, [token][row]; 1 and 2 hold 32 columns, of the panel, [column / 4][row][4], and of the tokens,
// [token][column]; 3 and 4 hold 16 columns.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {64, 64, recordColumns, 64, recordColumns / 2};
    std::uint8_t rows[16] = {tileTokens, 8, tileTokens, 4, tileTokens};
};
constexpr TileShapes tileShapes;

// Codes are laid out for several records at once and sums are folded two records late, so that nothing waits for recent stores.
constexpr std::size_t recordsAhead = 8, foldsLate = 2, sumsKept = 4;
using TileSums = std::int32_t[tileTokens][panelRows];
struct alignas(64) TileMemory {
    std::uint8_t rows[recordsAhead][8][64];
    std::uint8_t tokens[recordsAhead][tileTokens][recordColumns];
    TileSums sums[sumsKept][2]; // [record % sumsKept][half]
};

template <int tile>
HWY_INLINE void clearTile() {
    __asm__ volatile("tilezero %%tmm%c0" ::"i"(tile));
}

// `bytes` from `at` on are what the register's rows cover.
template <int tile, std::size_t bytes>
HWY_INLINE void loadTile(const void* at, std::size_t stride) {
    __asm__ volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(tile), "r"(at), "r"(stride),
                     "m"(*static_cast<const std::uint8_t(*)[bytes]>(at)));
}

template <int tile>
HWY_INLINE void storeTile(TileSums& sums) {
    __asm__ volatile("tilestored %%tmm%c1, (%2,%3,1)" : "=m"(sums) : "i"(tile), "r"(&sums), "r"(sizeof sums[0]));
}

template <int sums, int tokens, int rows>
HWY_INLINE void dotTiles() {
    __asm__ volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(tokens), "i"(rows));
}

// The sums of 32 columns, or of 16, of one panel.
template <std::size_t columns>
HWY_INLINE void sumTiles(const std::uint8_t (*rows)[64], const std::uint8_t* tokens, TileSums& sums) {
    constexpr int rowTile = columns == recordColumns ? 1 : 3;
    clearTile<0>();
    loadTile<rowTile, columns * panelRows>(rows, 64);
    loadTile<rowTile + 1, (tileTokens - 1) * recordColumns + columns>(tokens, recordColumns);
    dotTiles<0, rowTile + 1, rowTile>();
    storeTile<0>(sums);
}

// The registers multiply signed codes, so the bias is taken off before and no sum of a token's codes is needed.
template <class Panel, std::size_t record>
HWY_INLINE void unpackCodes(const std::byte* block, std::uint8_t (*codes)[64]) {
    WB_UNROLL for (std::size_t j = 0; j < 8; ++j) {
        VB vector = Panel::template codes<record>(block, j, 0);
        if constexpr (Panel::biasShift >= 0) vector = hn::Sub(vector, hn::Set(Bytes(), std::uint8_t{1U << Panel::biasShift}));
        hn::Store(vector, Bytes(), codes[j]);
    }
}

template <class Panel, std::size_t... record>
HWY_INLINE void unpackBlock(std::index_sequence<record...>, const std::byte* block, std::uint8_t (*rows)[8][64]) {
    (unpackCodes<Panel, record>(block, rows[record]), ...);
}

// One panel by two groups of activations.
template <class Panel>
struct TileProduct {
    using R = Record<groupTokens>;
    const Product& p;
    TileMemory& memory;

    const std::byte* blockOf(std::size_t step) const { return p.panel + step / Panel::records * Panel::bytes; }

    // `step` counts records.
    HWY_INLINE void unpack(std::size_t step, std::size_t end) const {
        static_assert(Panel::records == 1 || Panel::records == recordsAhead);
        if constexpr (Panel::records == recordsAhead) {
            unpackBlock<Panel>(std::make_index_sequence<recordsAhead>(), blockOf(step), memory.rows);
        } else {
            for (std::size_t i = 0; i < recordsAhead && step + i < end; ++i)
                unpackCodes<Panel, 0>(blockOf(step + i), memory.rows[i]);
        }
        for (std::size_t i = 0; i < recordsAhead && step + i < end; ++i) copyTokens(step + i, memory.tokens[i]);
    }

    HWY_INLINE void copyTokens(std::size_t step, std::uint8_t (*to)[recordColumns]) const {
        WB_UNROLL for (std::size_t g = 0; g < 2; ++g) {
            const std::byte* const x = p.activations + g * p.groupBytes + step * R::bytes;
            WB_UNROLL for (std::size_t t = 0; t < groupTokens; t += 64 / recordColumns) {
                hn::Store(hn::LoadU(Bytes(), raw(x) + t * recordColumns), Bytes(), to[g * groupTokens + t]);
            }
        }
    }

    HWY_INLINE void sum(std::size_t step) const {
        const std::uint8_t(*const rows)[64] = memory.rows[step % recordsAhead];
        const std::uint8_t* const tokens = memory.tokens[step % recordsAhead][0];
        auto& sums = memory.sums[step % sumsKept];
        if constexpr (Panel::splits) {
            sumTiles<16>(rows, tokens, sums[0]);
            sumTiles<16>(rows + 4, tokens + 16, sums[1]);
        } else {
            sumTiles<32>(rows, tokens, sums[0]);
        }
    }

    HWY_INLINE void foldHalf(const std::int32_t (*stored)[panelRows], VF rowScale, const std::byte* x, VF* HWY_RESTRICT to) const {
        VI sums[groupTokens];
        WB_UNROLL for (std::size_t t = 0; t < groupTokens; ++t) { sums[t] = hn::Load(Ints(), stored[t]); }
        fold<groupTokens>(sums, rowScale, x, to);
    }

    HWY_INLINE void foldStep(std::size_t step, VF* HWY_RESTRICT acc) const {
        const std::byte* const block = blockOf(step);
        const std::size_t record = step % Panel::records;
        const auto& sums = memory.sums[step % sumsKept];
        WB_UNROLL for (std::size_t g = 0; g < 2; ++g) {
            const std::byte* const x = p.activations + g * p.groupBytes + step * R::bytes;
            VF* const to = acc + g * groupTokens;
            foldHalf(sums[0] + g * groupTokens, Panel::scale(block, record, 0), x, to);
            if constexpr (Panel::splits) foldHalf(sums[1] + g * groupTokens, Panel::secondScale(block, record, 0), x, to);
            if constexpr (Panel::hasMinimum) {
                WB_UNROLL for (std::size_t t = 0; t < groupTokens; ++t) {
                    to[t] = Panel::addMinimum(block, record, 0, hn::Set(Floats(), floats(x + R::offset)[t]), to[t]);
                }
            }
        }
    }

    HWY_INLINE void run() const {
        VF acc[tileTokens];
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { acc[t] = hn::Zero(Floats()); }
        const std::size_t steps = p.blocks * Panel::records;
        for (std::size_t step = 0; step < steps; ++step) {
            if (step % recordsAhead == 0) unpack(step, steps);
            sum(step);
            if (step >= foldsLate) foldStep(step - foldsLate, acc);
        }
        for (std::size_t step = steps > foldsLate ? steps - foldsLate : 0; step < steps; ++step) foldStep(step, acc);
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { hn::StoreU(acc[t], Floats(), p.out + t * p.stride); }
    }
};

// The registers are this function's alone: what they hold has to be saved whenever a thread is interrupted.
template <class Panel>
void multiplyByTiles(const Product& p) {
    __asm__ volatile("ldtilecfg %0" ::"m"(tileShapes));
    TileMemory memory;
    TileProduct<Panel>{p, memory}.run();
    __asm__ volatile("tilerelease");
}
#endif

template <class Dot>
MultiplyForms allForms() {
    return {forms<Dot, 1, 1>(), forms<Dot, 1, widePanels>(), forms<Dot, groupTokens, 1>(), {}};
}

} // namespace

MultiplyForms plainForms() { return allForms<PlainDot>(); }

MultiplyForms vnniForms() {
#if WB_VNNI
    return allForms<VnniDot>();
#else
    return {};
#endif
}

MultiplyForms amxForms() {
#if WB_VNNI
    MultiplyForms forms = vnniForms();
    const auto set = [&](PanelType type, Multiply form) { forms.twoGroups[static_cast<std::size_t>(type)] = form; };
    set(PanelType::Q8_0, multiplyByTiles<PanelQ8_0>);
    set(PanelType::Q4_0, multiplyByTiles<PanelQ4_0>);
    set(PanelType::Q4_1, multiplyByTiles<PanelQ4_1>);
    set(PanelType::Q4_K, multiplyByTiles<PanelQ4_K>);
    set(PanelType::Q6_K, multiplyByTiles<PanelQ6_K>);
    return forms;
#else
    return {};
#endif
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#undef WB_VNNI

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(plainForms);
HWY_EXPORT(vnniForms);
HWY_EXPORT(amxForms);

MultiplyForms multiplySimd() { return HWY_DYNAMIC_DISPATCH(plainForms)(); }
MultiplyForms multiplyVnni() { return HWY_DYNAMIC_DISPATCH(vnniForms)(); }
MultiplyForms multiplyAmx() { return HWY_DYNAMIC_DISPATCH(amxForms)(); }

} // namespace wb::infer::cpu
#endif

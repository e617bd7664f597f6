// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/multiply_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "core/infer/cpu/dots-inl.h"
#include "core/infer/cpu/lattice-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the readable form is as good.
MultiplyForms multiplyForms(ByteProducts) { return {}; }
#else

namespace {

// ---- one block

template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t j>
HWY_INLINE void dotVector(const std::byte* block, const std::byte* x, std::size_t r, VI* HWY_RESTRICT sums) {
    const VB codes = codesForDot<Panel, Dot>(Panel::template codes<record, j>(block, r));
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = Dot::add(sums[t], codes, x + t * recordColumns + j * 4); }
}

template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t first, std::size_t... j>
HWY_INLINE void dotVectors(std::index_sequence<j...>, const std::byte* block, const std::byte* x, std::size_t r,
                           VI* HWY_RESTRICT sums) {
    (dotVector<Panel, Dot, record, T, first + j>(block, x, r, sums), ...);
}

// The products of vectors [first, end) of a record with T tokens, whose codes have these sums.
template <class Panel, class Dot, std::size_t record, std::size_t T, std::size_t first, std::size_t end>
HWY_INLINE void dotTokens(const std::byte* block, const std::byte* x, std::size_t r, const std::int32_t* low,
                          const std::int32_t* high, VI* HWY_RESTRICT sums) {
    const auto startAt = [&](std::size_t t)
                             HWY_ATTR { return startForDot<Panel, Dot>((first == 0 ? low[t] : 0) + (end == 8 ? high[t] : 0)); };
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = startAt(t); }
    dotVectors<Panel, Dot, record, T, first>(std::make_index_sequence<end - first>(), block, x, r, sums);
}

// Adds 32 columns of one slice of a panel to the sums of T tokens.
template <class Panel, class Dot, std::size_t record, std::size_t T>
HWY_INLINE void addRecord(const std::byte* block, const std::byte* x, std::size_t r, VF* HWY_RESTRICT acc) {
    using R = Record<T>;
    VI sums[T];
    const std::int32_t *const low = ints(x + R::low), *const high = ints(x + R::high);
    if constexpr (Panel::splits) {
        dotTokens<Panel, Dot, record, T, 0, 4>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
        dotTokens<Panel, Dot, record, T, 4, 8>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::secondScale(block, record, r), x, acc);
    } else {
        dotTokens<Panel, Dot, record, T, 0, 8>(block, x, r, low, high, sums);
        fold<T>(sums, Panel::scale(block, record, r), x, acc);
    }
    const VF first = firstMinimum<Panel>(block, record, r), last = lastMinimum<Panel>(block, record, r);
    WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[t] = addMinimums<Panel, T>(first, last, x, t, acc[t]); }
}

template <class Panel, class Dot, std::size_t T, std::size_t... record>
HWY_INLINE void addBlock(std::index_sequence<record...>, const std::byte* block, const std::byte* x, std::size_t r,
                         VF* HWY_RESTRICT acc) {
    (addRecord<Panel, Dot, record, T>(block, x + record * Record<T>::bytes, r, acc), ...);
}

// All slices of a record before the next one, so that memory is read evenly.
template <class Panel, class Dot, std::size_t record>
HWY_INLINE void addSlices(const std::byte* block, const std::byte* x, VF (*HWY_RESTRICT acc)[1]) {
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { addRecord<Panel, Dot, record, 1>(block, x, s * lanes, acc[s]); }
}

template <class Panel, class Dot, std::size_t... record>
HWY_INLINE void addWholeBlock(std::index_sequence<record...>, const std::byte* block, const std::byte* x,
                              VF (*HWY_RESTRICT acc)[1]) {
    (addSlices<Panel, Dot, record>(block, x + record * Record<1>::bytes, acc), ...);
}

// ---- whole panels

constexpr std::size_t prefetchBytes = 2048;

// One group of T tokens. The loops over panels and slices are not unrolled: the instructions of a block fill much of their cache.
template <class Panel, class Dot, std::size_t T, std::size_t panels>
void multiplyIntegers(const Product& p) {
    VF acc[panels][slices][T];
    for (auto& panel : acc)
        for (auto& slice : panel)
            for (VF& sum : slice) sum = hn::Zero(Floats());
    const std::byte* x = p.activations;
    for (std::size_t b = 0; b < p.blocks; ++b, x += Panel::records * Record<T>::bytes) {
        for (std::size_t n = 0; n < panels; ++n) {
            const std::byte* const block = p.panel + n * p.panelBytes + b * Panel::bytes;
            if constexpr (T == 1 && !isLargeBlock<Panel>)
                for (std::size_t line = 0; line < Panel::bytes; line += 64) hwy::Prefetch(raw(block) + prefetchBytes + line);
            if constexpr (T == 1 && isLargeBlock<Panel>) {
                addWholeBlock<Panel, Dot>(std::make_index_sequence<Panel::records>(), block, loadedAnew(x), acc[n]);
                continue;
            }
            for (std::size_t s = 0; s < slices; ++s) {
                VF sums[T];
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) { sums[t] = acc[n][s][t]; }
                addBlock<Panel, Dot, T>(std::make_index_sequence<Panel::records>(), block, loadedAnew(x), s * lanes, sums);
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[n][s][t] = sums[t]; }
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

#if WB_AVX512_VNNI
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
template <class Panel, std::size_t record, std::size_t... j>
HWY_INLINE void unpackVectors(std::index_sequence<j...>, const std::byte* block, std::uint8_t (*codes)[64]) {
    const auto unbiased = [](VB vector) HWY_ATTR {
        if constexpr (Panel::biasShift < 0) return vector;
        else return hn::Sub(vector, hn::Set(Bytes(), std::uint8_t{1U << Panel::biasShift}));
    };
    (hn::Store(unbiased(Panel::template codes<record, j>(block, 0)), Bytes(), codes[j]), ...);
}

template <class Panel, std::size_t record>
HWY_INLINE void unpackCodes(const std::byte* block, std::uint8_t (*codes)[64]) {
    unpackVectors<Panel, record>(std::make_index_sequence<8>(), block, codes);
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

    const std::byte* blockFromStep(std::size_t step) const { return p.panel + step / Panel::records * Panel::bytes; }

    // `step` counts records.
    HWY_INLINE void unpack(std::size_t step, std::size_t end) const {
        static_assert(Panel::records == 1 || Panel::records == recordsAhead);
        if constexpr (Panel::records == recordsAhead) {
            unpackBlock<Panel>(std::make_index_sequence<recordsAhead>(), blockFromStep(step), memory.rows);
        } else {
            for (std::size_t i = 0; i < recordsAhead && step + i < end; ++i)
                unpackCodes<Panel, 0>(blockFromStep(step + i), memory.rows[i]);
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
        const std::byte* const block = blockFromStep(step);
        const std::size_t record = step % Panel::records;
        const auto& sums = memory.sums[step % sumsKept];
        WB_UNROLL for (std::size_t g = 0; g < 2; ++g) {
            const std::byte* const x = p.activations + g * p.groupBytes + step * R::bytes;
            VF* const to = acc + g * groupTokens;
            foldHalf(sums[0] + g * groupTokens, Panel::scale(block, record, 0), x, to);
            if constexpr (Panel::splits) foldHalf(sums[1] + g * groupTokens, Panel::secondScale(block, record, 0), x, to);
            static_assert(Panel::minimums < 2);
            const VF minimum = firstMinimum<Panel>(block, record, 0);
            WB_UNROLL for (std::size_t t = 0; t < groupTokens; ++t) {
                to[t] = addMinimums<Panel, groupTokens>(minimum, minimum, x, t, to[t]);
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
void multiplyTwoGroups(const Product& p) {
    __asm__ volatile("ldtilecfg %0" ::"m"(tileShapes));
    TileMemory memory;
    TileProduct<Panel>{p, memory}.run();
    __asm__ volatile("tilerelease");
}

// Groups two by two, and the last of an odd number alone.
template <class Panel>
void multiplyByTiles(const Product& p) {
    Product part = p;
    for (; part.groups >= 2; part.groups -= 2) {
        multiplyTwoGroups<Panel>(part);
        part.activations += 2 * p.groupBytes;
        part.out += tileTokens * p.stride;
    }
    if (part.groups == 1) multiplyIntegers<Panel, VnniDot, groupTokens, 1>(part);
}
#endif

// ---- lattices: a block is unpacked once for all groups

template <class L, class Dot, std::size_t T>
void multiplyLattice(const Product& p) {
    using Panel = UnpackedLattice<L>;
    alignas(64) std::byte unpacked[Panel::unpackedBytes];
    for (std::size_t b = 0; b < p.blocks; ++b) {
        Panel::unpack(p.panel + b * Panel::bytes, unpacked);
        for (std::size_t g = 0; g < p.groups; ++g) {
            const std::byte* const x = p.activations + g * p.groupBytes + b * Panel::records * Record<T>::bytes;
            for (std::size_t r = 0; r < panelRows; r += lanes) {
                float* const out = p.out + g * T * p.stride + r;
                VF sums[T];
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) {
                    sums[t] = b == 0 ? hn::Zero(Floats()) : hn::LoadU(Floats(), out + t * p.stride);
                }
                addBlock<Panel, Dot, T>(std::make_index_sequence<Panel::records>(), unpacked, loadedAnew(x), r, sums);
                WB_UNROLL for (std::size_t t = 0; t < T; ++t) { hn::StoreU(sums[t], Floats(), out + t * p.stride); }
            }
        }
    }
}

// Panel after panel.
template <class L, class Dot>
void multiplyWideLattice(const Product& p) {
    Product one = p;
    for (std::size_t n = 0; n < widePanels; ++n) {
        multiplyLattice<L, Dot, 1>(one);
        one.panel += p.panelBytes;
        one.out += panelRows;
    }
}

// ---- the tables

template <class Dot, std::size_t panels>
struct Integers {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) {
            if constexpr (!isLargeBlock<Panel>) return multiplyIntegers<Panel, Dot, 1, panels>(p);
            Product one = p;
            for (std::size_t n = 0; n < panels; ++n) {
                multiplyIntegers<Panel, Dot, 1, 1>(one);
                one.panel += p.panelBytes;
                one.out += panelRows;
            }
        }
    };
};

template <class Dot>
struct IntegerGroups {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) { eachGroup<multiplyIntegers<Panel, Dot, groupTokens, 1>>(p); }
    };
};

template <std::size_t panels>
void setFloats(std::array<Multiply, panelTypes>& forms) {
    forms[0] = multiplyFloats<float, 1, panels>;
    forms[1] = multiplyFloats<hwy::float16_t, 1, panels>;
    forms[2] = multiplyFloats<hwy::bfloat16_t, 1, panels>;
}

MultiplyForms floatForms() {
    MultiplyForms forms;
    setFloats<1>(forms.one);
    setFloats<widePanels>(forms.wide);
    forms.groups[0] = eachGroup<multiplyFloats<float, groupTokens, 1>>;
    forms.groups[1] = eachGroup<multiplyFloats<hwy::float16_t, groupTokens, 1>>;
    forms.groups[2] = eachGroup<multiplyFloats<hwy::bfloat16_t, groupTokens, 1>>;
    return forms;
}

// Groups are left to expandedSimd() where that has forms.
template <class Dot>
MultiplyForms allForms() {
    MultiplyForms forms{integerForms<Integers<Dot, 1>::template Form>(), integerForms<Integers<Dot, widePanels>::template Form>()};
#if !WB_AVX_VNNI && !WB_ARM_DOTS
    forms.groups = integerForms<IntegerGroups<Dot>::template Form>();
#endif
    const MultiplyForms decoded = floatForms();
    for (std::size_t i = 0; i < 3; ++i) {
        forms.one[i] = decoded.one[i];
        forms.wide[i] = decoded.wide[i];
        forms.groups[i] = decoded.groups[i];
    }
    eachLattice([&]<class L>(PanelType type) {
        const auto i = static_cast<std::size_t>(type);
        forms.groups[i] = multiplyLattice<L, Dot, groupTokens>;
#if !WB_PAIR_SUMS // where oneTokenLattices() has none
        forms.one[i] = multiplyLattice<L, Dot, 1>;
        forms.wide[i] = multiplyWideLattice<L, Dot>;
#endif
    });
    return forms;
}

#if WB_AVX512_VNNI
MultiplyForms amxForms() {
    MultiplyForms forms = allForms<VnniDot>();
    const auto set = [&](PanelType type, Multiply form) { forms.groups[static_cast<std::size_t>(type)] = form; };
    set(PanelType::Q8_0, multiplyByTiles<PanelQ8_0>);
    set(PanelType::Q4_0, multiplyByTiles<PanelQ4_0>);
    set(PanelType::Q4_1, multiplyByTiles<PanelQ4_1>);
    set(PanelType::Q4_K, multiplyByTiles<PanelQ4_K>);
    set(PanelType::Q6_K, multiplyByTiles<PanelQ6_K>);
    forms.groupsAtOnce = 2;
    return forms;
}
#endif

} // namespace

MultiplyForms multiplyForms(ByteProducts products) {
    switch (products) {
    case ByteProducts::None:
#if WB_PAIR_SUMS
        return floatForms();
#elif WB_ARM_DOTS
        return allForms<NeonDot>();
#else
        return allForms<PortableDot>();
#endif
#if WB_AVX_VNNI
    case ByteProducts::AvxVnni: return allForms<AvxVnniDot<false>>();
    case ByteProducts::AvxVnniByEvex: return allForms<AvxVnniDot<true>>();
#endif
#if WB_AVX512_VNNI
    case ByteProducts::Avx512Vnni: return allForms<VnniDot>();
    case ByteProducts::Amx: return amxForms();
#endif
#if WB_ARM_DOTS
    case ByteProducts::DotProd: return allForms<SignedDot>();
    case ByteProducts::I8mm: return allForms<MixedDot>();
#endif
    default: return {};
    }
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(multiplyForms);

MultiplyForms multiplySimd(ByteProducts products) { return HWY_DYNAMIC_DISPATCH(multiplyForms)(products); }

} // namespace wb::infer::cpu
#endif

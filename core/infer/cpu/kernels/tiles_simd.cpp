// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/tiles_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/integers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if !WB_AVX512_VNNI
std::array<Multiply, panelTypes> tileForms() { return {}; }
#else

namespace {

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
    if (part.groups == 1) multiplyGroup<Panel, VnniDot>(part);
}

} // namespace

std::array<Multiply, panelTypes> tileForms() {
    std::array<Multiply, panelTypes> forms{};
    const auto set = [&](PanelType type, Multiply form) { forms[static_cast<std::size_t>(type)] = form; };
    set(PanelType::Q8_0, multiplyByTiles<PanelQ8_0>);
    set(PanelType::Q4_0, multiplyByTiles<PanelQ4_0>);
    set(PanelType::Q4_1, multiplyByTiles<PanelQ4_1>);
    set(PanelType::Q4_K, multiplyByTiles<PanelQ4_K>);
    set(PanelType::Q6_K, multiplyByTiles<PanelQ6_K>);
    return forms;
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(tileForms);

std::array<Multiply, panelTypes> tilesSimd() { return HWY_DYNAMIC_DISPATCH(tileForms)(); }

} // namespace wb::infer::cpu
#endif

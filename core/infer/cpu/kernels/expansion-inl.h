// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// The codes and scales of a few hundred columns of a panel as whole bytes and floats, and what kernels of such columns share.
#if defined(WB_INFER_EXPANSION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_EXPANSION_INL_H
#undef WB_INFER_EXPANSION_INL_H
#else
#define WB_INFER_EXPANSION_INL_H
#endif

#include "core/infer/cpu/kernels/dots-inl.h"

#include <algorithm>
#include <type_traits>

#if WB_PAIR_SUMS || WB_ARM_DOTS
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

// Records that are expanded together.
constexpr std::size_t recordsAtOnce = 8;

template <class Panel, class Dot>
consteval bool needsMasks() {
#if WB_PAIR_SUMS
    return std::is_same_v<Dot, PairSums> && sumsInShorts<Panel> == 0;
#else
    return false;
#endif
}

// Codes of 8 bits, of which not even the products of two columns fit into 16 bits, are multiplied as magnitudes, and the
// activations of negative ones are inverted bit by bit: w x = |w| (-x - 1) + |w| there, so the magnitudes of negative codes are the
// start of a sum. Inverting takes any unit of the CPU, where changing a sign takes one that multiplies. The sums of two products
// fit into 16 bits: they are at least 2 * 128 * -128 and at most 2 * 127 * 127.
template <class Panel, class Dot>
constexpr bool isMasked = needsMasks<Panel, Dot>();

// The product of two rows by two tokens, with vectors of 16 bytes.
template <class Dot>
constexpr bool isTwoByTwo = requires(VI sum, VB codes) { Dot::addTwoByTwo(sum, codes, codes); };

// A dot product of columns at any place in a vector.
template <class Dot>
constexpr bool takesParts = requires(VI sum, VB codes) { Dot::template addPart<0>(sum, codes, codes); };

// Signed dot products multiply all codes without their bias, which is taken away once for all tokens.
template <class Panel, class Dot>
constexpr bool isBiasOff = Dot::isSigned && Panel::biasShift >= 0;

// What magnitudes need: bytes whose bits are all set where a code is negative, and the starts of the sums of each half.
template <bool isMasked>
struct Masks {};
template <>
struct alignas(64) Masks<true> {
    std::uint8_t masks[8][64];
    std::int32_t starts[2][panelRows];
};

// 32 columns of a panel. Codes are [column / 4][row][4]; for products two by two [column / 8][row][8].
template <class Panel, class Dot>
struct alignas(64) Expanded : Masks<isMasked<Panel, Dot>> {
    std::uint8_t codes[8][64];
    float scales[2][panelRows];
    float minimums[2][panelRows];
};

// Types of which both halves of a record have the same scale.
template <class Panel>
constexpr bool hasOneScale = std::is_same_v<Panel, PanelQ5_0> || std::is_same_v<Panel, PanelQ5_1> ||
                             std::is_same_v<Panel, PanelQ5_K> || std::is_same_v<Panel, PanelMXFP4>;

template <class Panel, class Dot>
HWY_INLINE void storeCodes(VB codes, std::size_t j, std::size_t r, Expanded<Panel, Dot>& to) {
#if WB_PAIR_SUMS
    if constexpr (isMasked<Panel, Dot>) {
        const VB signedCodes = toSigned(codes);
        hn::StoreU(magnitudes(signedCodes), Bytes(), to.codes[j] + 4 * r);
        hn::StoreU(whereNegative(signedCodes), Bytes(), to.masks[j] + 4 * r);
        return;
    }
#endif
    if constexpr (isTwoByTwo<Dot>) {
        const auto fours = hn::BitCast(Words(), codes);
        std::uint32_t* const rows = reinterpret_cast<std::uint32_t*>(to.codes[j / 2 * 2]) + 2 * r + j % 2;
        alignas(16) std::uint32_t stored[lanes];
        hn::Store(fours, Words(), stored);
        for (std::size_t i = 0; i < lanes; ++i) rows[2 * i] = stored[i];
    } else if constexpr (std::is_same_v<Dot, PairSums>) {
        hn::StoreU(codes, Bytes(), to.codes[j] + 4 * r);
    } else {
        if constexpr (isBiasOff<Panel, Dot>)
            codes = hn::Sub(codes, hn::Set(Bytes(), static_cast<std::uint8_t>(1U << Panel::biasShift)));
        hn::StoreU(codes, Bytes(), to.codes[j] + 4 * r);
    }
}

#if WB_PAIR_SUMS
// The starts of the sums of a slice, from its magnitudes and masks.
template <class Panel, class Dot>
HWY_INLINE void storeStarts(std::size_t r, Expanded<Panel, Dot>& to) {
    const VB one = hn::Set(Bytes(), std::uint8_t{1});
    for (std::size_t half = 0; half < 2; ++half) {
        VS sums = hn::Zero(Shorts());
        for (std::size_t j = 4 * half; j < 4 * half + 4; ++j) {
            const VB magnitude = hn::LoadU(Bytes(), to.codes[j] + 4 * r), mask = hn::LoadU(Bytes(), to.masks[j] + 4 * r);
            sums = hn::Add(sums, multiplyPairs(magnitude, hn::And(mask, one)));
        }
        hn::StoreU(addPairs(sums), Ints(), to.starts[half] + r);
    }
}
#endif

// Rows r … of a record whose codes are those of record `at` of the block at `codes`.
template <class Panel, class Dot, std::size_t at, std::size_t... j>
HWY_INLINE void expandSlice(std::index_sequence<j...>, const std::byte* codes, const std::byte* block, std::size_t record,
                            std::size_t r, Expanded<Panel, Dot>& to) {
    (storeCodes<Panel, Dot>(Panel::template codes<at, j>(codes, r), j, r, to), ...);
#if WB_PAIR_SUMS
    if constexpr (isMasked<Panel, Dot>) storeStarts<Panel, Dot>(r, to);
#endif
    hn::StoreU(Panel::scale(block, record, r), Floats(), to.scales[0] + r);
    if constexpr (Panel::splits && !hasOneScale<Panel>)
        hn::StoreU(Panel::secondScale(block, record, r), Floats(), to.scales[1] + r);
    if constexpr (Panel::minimums > 0) hn::StoreU(Panel::minimum(block, record, r), Floats(), to.minimums[0] + r);
    if constexpr (Panel::minimums > 1) hn::StoreU(Panel::secondMinimum(block, record, r), Floats(), to.minimums[1] + r);
}

// A loop where the codes of all records lie alike, else the code of each record apart.
template <class Panel, class Dot, std::size_t... record>
HWY_INLINE void expandBlock(std::index_sequence<record...>, const std::byte* block, Expanded<Panel, Dot>* to) {
    constexpr auto vectors = std::make_index_sequence<8>();
    for (std::size_t r = 0; r < panelRows; r += lanes)
        if constexpr (requires { Panel::recordStride; }) {
            for (std::size_t i = 0; i < Panel::records; ++i)
                expandSlice<Panel, Dot, 0>(vectors, block + i * Panel::recordStride, block, i, r, to[i]);
        } else {
            (expandSlice<Panel, Dot, record>(vectors, block, block, record, r, to[record]), ...);
        }
}

template <class Panel, class Dot>
void expand(const std::byte* blocks, std::size_t records, Expanded<Panel, Dot>* to) {
    static_assert(recordsAtOnce % Panel::records == 0);
    for (std::size_t i = 0; i < records; i += Panel::records, blocks += Panel::bytes)
        if constexpr (requires { Panel::unpackedBytes; }) {
            alignas(64) std::byte unpacked[Panel::unpackedBytes];
            Panel::unpack(blocks, unpacked);
            expandBlock<Panel, Dot>(std::make_index_sequence<Panel::records>(), unpacked, to + i);
        } else {
            expandBlock<Panel, Dot>(std::make_index_sequence<Panel::records>(), blocks, to + i);
        }
}

// ---- tiles: some tokens of a group by the rows of a panel

using R = Record<groupTokens>;

// Tokens at once: eight vectors of sums, half the registers of AVX2. On ARM sixteen of 32 would leave none for the sums of rows.
constexpr std::size_t tileTokens = 8 / slices;
static_assert(groupTokens % tileTokens == 0);

// Sums of a tile: [slice][token].
using TileSums = VI[slices][tileTokens];

template <class Panel, class Dot>
HWY_INLINE VB codesAt(const Expanded<Panel, Dot>& record, std::size_t j, std::size_t s) {
    return hn::Load(Bytes(), record.codes[j] + 4 * lanes * s);
}

// Minus the sum of a token's codes in vectors [first, end).
template <std::size_t first, std::size_t end>
HWY_INLINE std::int32_t negativeSum(const std::byte* x, std::size_t t) {
    return (first == 0 ? ints(x + R::low)[t] : 0) + (end == 8 ? ints(x + R::high)[t] : 0);
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/expanded_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/sums-inl.h"

#include <algorithm>

// Many tokens on machines without an integer dot product: the codes and scales of a few hundred columns of a panel are expanded to
// whole bytes and floats once, and stay in the nearest cache while all groups are multiplied. Unpacking a type is then a small
// part of the time, and one loop serves all types.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if !WB_PAIR_SUMS
std::array<Multiply, panelTypes> expandedForms() { return {}; }
#else

namespace {

using R = Record<groupTokens>;

// Tokens at once: eight vectors of sums, half the registers of AVX2.
constexpr std::size_t tileTokens = 8 / slices;
static_assert(groupTokens % tileTokens == 0);

constexpr std::size_t recordsAtOnce = 8;

// Codes of 8 bits, of which not even the products of two columns fit into 16 bits, become signed numbers of 16 bits. So do the
// activations: a multiplication and an addition for two columns take less time than magnitudes and signs for four, because signs
// are set by the units that multiply.
template <class Panel>
constexpr bool isWide = sumsInShorts<Panel> == 0;

// 32 columns of a panel.
template <class Panel>
struct alignas(64) Expanded {
    std::uint8_t codes[isWide<Panel> ? 16 : 8][64]; // [column / 4][row][4], or wide [column / 4][even, odd columns][row][2]
    float scales[2][panelRows];
    float minimums[2][panelRows];
};

// Wide activations of a group: [token][even, odd columns][column / 4][2].
using WideTokens = std::int16_t[groupTokens][2][recordColumns / 2];

// ---- expansion

template <class Panel>
HWY_INLINE void storeCodes(VB codes, std::size_t j, std::size_t r, Expanded<Panel>& to) {
    if constexpr (isWide<Panel>) {
        const VB biased = toSigned(codes);
        hn::StoreU(hn::BitCast(Bytes(), evenBytes(biased)), Bytes(), to.codes[2 * j] + 4 * r);
        hn::StoreU(hn::BitCast(Bytes(), oddBytes(biased)), Bytes(), to.codes[2 * j + 1] + 4 * r);
    } else {
        hn::StoreU(codes, Bytes(), to.codes[j] + 4 * r);
    }
}

template <class Panel, std::size_t record, std::size_t... j>
HWY_INLINE void expandSlice(std::index_sequence<j...>, const std::byte* block, std::size_t r, Expanded<Panel>& to) {
    (storeCodes<Panel>(Panel::template codes<record, j>(block, r), j, r, to), ...);
    hn::StoreU(Panel::scale(block, record, r), Floats(), to.scales[0] + r);
    if constexpr (Panel::splits) hn::StoreU(Panel::secondScale(block, record, r), Floats(), to.scales[1] + r);
    if constexpr (Panel::minimums > 0) hn::StoreU(Panel::minimum(block, record, r), Floats(), to.minimums[0] + r);
    if constexpr (Panel::minimums > 1) hn::StoreU(Panel::secondMinimum(block, record, r), Floats(), to.minimums[1] + r);
}

template <class Panel, std::size_t... record>
HWY_INLINE void expandBlock(std::index_sequence<record...>, const std::byte* block, Expanded<Panel>* to) {
    for (std::size_t r = 0; r < panelRows; r += lanes)
        (expandSlice<Panel, record>(std::make_index_sequence<8>(), block, r, to[record]), ...);
}

template <class Panel>
void expand(const std::byte* blocks, std::size_t records, Expanded<Panel>* to) {
    static_assert(recordsAtOnce % Panel::records == 0);
    for (std::size_t i = 0; i < records; i += Panel::records, blocks += Panel::bytes)
        expandBlock<Panel>(std::make_index_sequence<Panel::records>(), blocks, to + i);
}

// The codes of a group's tokens.
HWY_INLINE void widenTokens(const std::byte* x, WideTokens& to) {
    const hn::CappedTag<std::uint8_t, recordColumns> columns;
    const hn::Repartition<std::int16_t, decltype(columns)> words;
    WB_UNROLL for (std::size_t t = 0; t < groupTokens; ++t) {
        const auto codes = hn::BitCast(words, hn::LoadU(columns, raw(x) + t * recordColumns));
        hn::StoreU(hn::ShiftRight<8>(hn::ShiftLeft<8>(codes)), words, to[t][0]);
        hn::StoreU(hn::ShiftRight<8>(codes), words, to[t][1]);
    }
}

// ---- products

// Sums of a tile: [slice][token].
struct TileSums {
    VI at[slices][tileTokens];
};

template <class Panel>
HWY_INLINE VB codesAt(const Expanded<Panel>& record, std::size_t j, std::size_t s) {
    return hn::Load(Bytes(), record.codes[j] + 4 * lanes * s);
}

// All sums of pairs of vectors [first, end) fit into 16 bits.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void dotInShorts(const Expanded<Panel>& record, const std::byte* x, TileSums& sums) {
    VS pairs[slices][tileTokens];
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        VB codes[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { codes[s] = codesAt(record, j, s); }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const VB four = fourCodes(x + t * recordColumns + 4 * j);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                const VS product = multiplyPairs(codes[s], four);
                pairs[s][t] = j == first ? product : addHere(pairs[s][t], product);
            }
        }
    }
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums.at[s][t] = addPairs(pairs[s][t]); }
    }
}

// Those of two vectors do.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void dotByTwo(const Expanded<Panel>& record, const std::byte* x, TileSums& sums) {
    WB_UNROLL for (std::size_t j = first; j < end; j += 2) {
        VB codes[slices], next[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            codes[s] = codesAt(record, j, s);
            next[s] = codesAt(record, j + 1, s);
        }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const std::byte* const token = x + t * recordColumns + 4 * j;
            const VB four = fourCodes(token), nextFour = fourCodes(token + 4);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                const VI sum = addPairs(hn::Add(multiplyPairs(codes[s], four), multiplyPairs(next[s], nextFour)));
                sums.at[s][t] = j == first ? sum : addHere(sums.at[s][t], sum);
            }
        }
    }
}

template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void dotWide(const Expanded<Panel>& record, const WideTokens& x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        WB_UNROLL for (std::size_t odd = 0; odd < 2; ++odd) {
            VS codes[slices];
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                codes[s] = hn::BitCast(Shorts(), codesAt<Panel>(record, 2 * j + odd, s));
            }
            WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
                const auto* const pair = reinterpret_cast<const std::byte*>(x[t0 + t][odd] + 2 * j);
                const VS two = hn::BitCast(Shorts(), fourCodes(pair));
                WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                    const VI sum = multiplyShorts(codes[s], two);
                    sums.at[s][t] = j == first && odd == 0 ? sum : addHere(sums.at[s][t], sum);
                }
            }
        }
    }
}

// Vectors [first, end) of a record with the tile's tokens, and what takes the bias away.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void dotTile(const Expanded<Panel>& record, const std::byte* x, const WideTokens& wide, std::size_t t0, TileSums& sums) {
    const std::byte* const codes = x + t0 * recordColumns;
    if constexpr (isWide<Panel>) {
        dotWide<Panel, first, end>(record, wide, t0, sums);
    } else {
        if constexpr (sumsInShorts<Panel> >= end - first) dotInShorts<Panel, first, end>(record, codes, sums);
        else dotByTwo<Panel, first, end>(record, codes, sums);
        if constexpr (Panel::biasShift >= 0) {
            WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
                std::int32_t negative = 0;
                if (first == 0) negative += ints(x + R::low)[t0 + t];
                if (end == 8) negative += ints(x + R::high)[t0 + t];
                const VI start = hn::Set(Ints(), negative * (1 << Panel::biasShift));
                WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums.at[s][t] = hn::Add(sums.at[s][t], start); }
            }
        }
    }
}

HWY_INLINE void foldTile(const TileSums& sums, const float* scales, const std::byte* x, std::size_t t0,
                         VF (&acc)[slices][tileTokens]) {
    VF rowScales[slices];
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { rowScales[s] = hn::Load(Floats(), scales + s * lanes); }
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VF scale = hn::Set(Floats(), floats(x + R::scale)[t0 + t]);
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            acc[s][t] = hn::MulAdd(hn::ConvertTo(Floats(), sums.at[s][t]), hn::Mul(rowScales[s], scale), acc[s][t]);
        }
    }
}

template <class Panel>
HWY_INLINE void addRecord(const Expanded<Panel>& record, const std::byte* x, const WideTokens& wide, std::size_t t0,
                          VF (&acc)[slices][tileTokens]) {
    TileSums sums;
    if constexpr (Panel::splits) {
        dotTile<Panel, 0, 4>(record, x, wide, t0, sums);
        foldTile(sums, record.scales[0], x, t0, acc);
        dotTile<Panel, 4, 8>(record, x, wide, t0, sums);
        foldTile(sums, record.scales[1], x, t0, acc);
    } else {
        dotTile<Panel, 0, 8>(record, x, wide, t0, sums);
        foldTile(sums, record.scales[0], x, t0, acc);
    }
    if constexpr (Panel::minimums > 0) {
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            const VF first = hn::Load(Floats(), record.minimums[0] + s * lanes);
            VF last = first;
            if constexpr (Panel::minimums > 1) last = hn::Load(Floats(), record.minimums[1] + s * lanes);
            WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
                acc[s][t] = addMinimums<Panel, groupTokens>(first, last, x, t0 + t, acc[s][t]);
            }
        }
    }
}

// Some records of a panel times tokens t0 … of a group: out[t * stride + row]. Only the first records overwrite `out`; the others
// add to it.
template <class Panel>
HWY_INLINE void addTile(const Expanded<Panel>* records, std::size_t count, const std::byte* x, const WideTokens* wide,
                        std::size_t t0, bool isFirst, float* out, std::size_t stride) {
    VF acc[slices][tileTokens];
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            acc[s][t] = isFirst ? hn::Zero(Floats()) : hn::LoadU(Floats(), out + t * stride + s * lanes);
        }
    }
    for (std::size_t i = 0; i < count; ++i, x += R::bytes) addRecord(records[i], x, wide[isWide<Panel> ? i : 0], t0, acc);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { hn::StoreU(acc[s][t], Floats(), out + t * stride + s * lanes); }
    }
}

template <class Panel>
struct ExpandedForm {
    static void multiply(const Product& p) {
        Expanded<Panel> expanded[recordsAtOnce];
        alignas(64) WideTokens wide[isWide<Panel> ? recordsAtOnce : 1];
        const std::size_t records = p.blocks * Panel::records;
        for (std::size_t first = 0; first < records; first += recordsAtOnce) {
            const std::size_t count = std::min(recordsAtOnce, records - first);
            expand<Panel>(p.panel + first / Panel::records * Panel::bytes, count, expanded);
            for (std::size_t g = 0; g < p.groups; ++g) {
                const std::byte* const x = p.activations + g * p.groupBytes + first * R::bytes;
                float* const out = p.out + g * groupTokens * p.stride;
                if constexpr (isWide<Panel>)
                    for (std::size_t i = 0; i < count; ++i) widenTokens(x + i * R::bytes, wide[i]);
                for (std::size_t t0 = 0; t0 < groupTokens; t0 += tileTokens)
                    addTile<Panel>(expanded, count, x, wide, t0, first == 0, out + t0 * p.stride, p.stride);
            }
        }
    }
};

} // namespace

std::array<Multiply, panelTypes> expandedForms() { return integerForms<ExpandedForm>(); }

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(expandedForms);

std::array<Multiply, panelTypes> expandedSimd() { return HWY_DYNAMIC_DISPATCH(expandedForms)(); }

} // namespace wb::infer::cpu
#endif

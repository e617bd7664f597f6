// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/expanded_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/dots-inl.h"
#include "core/infer/cpu/lattice-inl.h"

#include <algorithm>
#include <type_traits>

// Many tokens on all machines but those with AVX-512 VNNI: the codes and scales of a few hundred columns of a panel are expanded to
// whole bytes and floats once, and stay in the nearest cache while all groups are multiplied. Unpacking a type is then a small
// part of the time, and one loop serves all types.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if !WB_PAIR_SUMS && !WB_ARM_DOTS
std::array<Multiply, panelTypes> expandedForms(ByteProducts) { return {}; }
#else

namespace {

using R = Record<groupTokens>;

// Tokens at once: eight vectors of sums, half the registers of AVX2. On ARM sixteen of 32 would leave none for the sums of rows.
constexpr std::size_t tileTokens = 8 / slices;
static_assert(groupTokens % tileTokens == 0);

constexpr std::size_t recordsAtOnce = 8;

// Sums of two products in 16 bits, as many as fit: targets without a dot product of bytes.
struct PairSums {};

template <class Panel, class Dot>
consteval bool widens() {
#if WB_PAIR_SUMS
    return std::is_same_v<Dot, PairSums> && sumsInShorts<Panel> == 0;
#else
    return false;
#endif
}

// Codes of 8 bits, of which not even the products of two columns fit into 16 bits, become signed numbers of 16 bits. So do the
// activations: a multiplication and an addition for two columns take less time than magnitudes and signs for four, because signs
// are set by the units that multiply.
template <class Panel, class Dot>
constexpr bool isWide = widens<Panel, Dot>();

// The product of two rows by two tokens, with vectors of 16 bytes.
template <class Dot>
constexpr bool isTwoByTwo = requires(VI sum, VB codes) { Dot::addTwoByTwo(sum, codes, codes); };

// 32 columns of a panel. Codes are [column / 4][row][4]; wide ones [column / 4][even, odd columns][row][2]; for products two by
// two [column / 8][row][8].
template <class Panel, class Dot>
struct alignas(64) Expanded {
    std::uint8_t codes[isWide<Panel, Dot> ? 16 : 8][64];
    float scales[2][panelRows];
    float minimums[2][panelRows];
};

// Wide activations of a group: [token][even, odd columns][column / 4][2].
using WideTokens = std::int16_t[groupTokens][2][recordColumns / 2];

// Types of which both halves of a record have the same scale.
template <class Panel>
constexpr bool hasOneScale =
    std::is_same_v<Panel, PanelQ5_0> || std::is_same_v<Panel, PanelQ5_1> || std::is_same_v<Panel, PanelQ5_K> ||
    std::is_same_v<Panel, PanelIQ4_NL> || std::is_same_v<Panel, PanelIQ4_XS> || std::is_same_v<Panel, PanelMXFP4>;

// ---- expansion

template <class Panel, class Dot>
HWY_INLINE void storeCodes(VB codes, std::size_t j, std::size_t r, Expanded<Panel, Dot>& to) {
#if WB_PAIR_SUMS
    if constexpr (isWide<Panel, Dot>) {
        const VB biased = toSigned(codes);
        hn::StoreU(hn::BitCast(Bytes(), evenBytes(biased)), Bytes(), to.codes[2 * j] + 4 * r);
        hn::StoreU(hn::BitCast(Bytes(), oddBytes(biased)), Bytes(), to.codes[2 * j + 1] + 4 * r);
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
        hn::StoreU(codesForDot<Panel, Dot>(codes), Bytes(), to.codes[j] + 4 * r);
    }
}

template <class Panel, class Dot, std::size_t record, std::size_t... j>
HWY_INLINE void expandSlice(std::index_sequence<j...>, const std::byte* block, std::size_t r, Expanded<Panel, Dot>& to) {
    (storeCodes<Panel, Dot>(Panel::template codes<record, j>(block, r), j, r, to), ...);
    hn::StoreU(Panel::scale(block, record, r), Floats(), to.scales[0] + r);
    if constexpr (Panel::splits && !hasOneScale<Panel>)
        hn::StoreU(Panel::secondScale(block, record, r), Floats(), to.scales[1] + r);
    if constexpr (Panel::minimums > 0) hn::StoreU(Panel::minimum(block, record, r), Floats(), to.minimums[0] + r);
    if constexpr (Panel::minimums > 1) hn::StoreU(Panel::secondMinimum(block, record, r), Floats(), to.minimums[1] + r);
}

template <class Panel, class Dot, std::size_t... record>
HWY_INLINE void expandBlock(std::index_sequence<record...>, const std::byte* block, Expanded<Panel, Dot>* to) {
    for (std::size_t r = 0; r < panelRows; r += lanes)
        (expandSlice<Panel, Dot, record>(std::make_index_sequence<8>(), block, r, to[record]), ...);
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

#if WB_PAIR_SUMS
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
#endif

// ---- products

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

#if WB_PAIR_SUMS
// All sums of pairs of vectors [first, end) fit into 16 bits.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotInShorts(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
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
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums[s][t] = addPairs(pairs[s][t]); }
    }
}

// Those of two vectors do.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotByTwo(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
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
                sums[s][t] = j == first ? sum : addHere(sums[s][t], sum);
            }
        }
    }
}

template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotWide(const Expanded<Panel, Dot>& record, const WideTokens& x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        WB_UNROLL for (std::size_t odd = 0; odd < 2; ++odd) {
            VS codes[slices];
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                codes[s] = hn::BitCast(Shorts(), codesAt(record, 2 * j + odd, s));
            }
            WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
                const auto* const pair = reinterpret_cast<const std::byte*>(x[t0 + t][odd] + 2 * j);
                const VS two = hn::BitCast(Shorts(), fourCodes(pair));
                WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                    const VI sum = multiplyShorts(codes[s], two);
                    sums[s][t] = j == first && odd == 0 ? sum : addHere(sums[s][t], sum);
                }
            }
        }
    }
}

// Adds what takes the bias away.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void addBias(const std::byte* x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VI start = startFromNegativeSum<Panel>(negativeSum<first, end>(x, t0 + t));
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[s][t] = hn::Add(sums[s][t], start); }
    }
}
#endif

// Dot products of bytes.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotBytes(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VI start = startForDot<Panel, Dot>(negativeSum<first, end>(x, t0 + t));
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[s][t] = start; }
    }
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        VB codes[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { codes[s] = codesAt(record, j, s); }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const std::byte* const four = x + (t0 + t) * recordColumns + 4 * j;
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[s][t] = Dot::add(sums[s][t], codes[s], four); }
        }
    }
}

#if WB_ARM_DOTS
// The same by products of two rows and two tokens, [row][token] in each of the halves of a slice.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotTwoByTwo(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, TileSums& sums) {
    VI pairs[2 * slices][tileTokens / 2];
    WB_UNROLL for (std::size_t i = 0; i < 2 * slices; ++i) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens / 2; ++t) { pairs[i][t] = hn::Zero(Ints()); }
    }
    WB_UNROLL for (std::size_t j = first; j < end; j += 2) {
        VB tokens[tileTokens / 2];
        WB_UNROLL for (std::size_t t = 0; t < tileTokens / 2; ++t) {
            const std::uint8_t* const at = raw(x) + (t0 + 2 * t) * recordColumns + 4 * j;
            tokens[t] = VB{vcombine_u8(vld1_u8(at), vld1_u8(at + recordColumns))};
        }
        WB_UNROLL for (std::size_t i = 0; i < 2 * slices; ++i) {
            const VB codes = hn::Load(Bytes(), record.codes[j] + 16 * i);
            WB_UNROLL for (std::size_t t = 0; t < tileTokens / 2; ++t) {
                pairs[i][t] = Dot::addTwoByTwo(pairs[i][t], codes, tokens[t]);
            }
        }
    }
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VI start = startForDot<Panel, Dot>(negativeSum<first, end>(x, t0 + t));
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            const int32x4_t low = pairs[2 * s][t / 2].raw, high = pairs[2 * s + 1][t / 2].raw;
            sums[s][t] = hn::Add(start, VI{t % 2 == 0 ? vuzp1q_s32(low, high) : vuzp2q_s32(low, high)});
        }
    }
}
#endif

// Vectors [first, end) of a record with the tile's tokens.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotTile(const Expanded<Panel, Dot>& record, const std::byte* x, const WideTokens& wide, std::size_t t0,
                        TileSums& sums) {
#if WB_PAIR_SUMS
    if constexpr (isWide<Panel, Dot>) {
        dotWide<Panel, Dot, first, end>(record, wide, t0, sums);
    } else if constexpr (std::is_same_v<Dot, PairSums>) {
        const std::byte* const codes = x + t0 * recordColumns;
        if constexpr (sumsInShorts<Panel> >= end - first) dotInShorts<Panel, Dot, first, end>(record, codes, sums);
        else dotByTwo<Panel, Dot, first, end>(record, codes, sums);
        if constexpr (Panel::biasShift >= 0) addBias<Panel, first, end>(x, t0, sums);
    } else {
        dotBytes<Panel, Dot, first, end>(record, x, t0, sums);
    }
#else
    (void)wide;
    if constexpr (isTwoByTwo<Dot>) dotTwoByTwo<Panel, Dot, first, end>(record, x, t0, sums);
    else dotBytes<Panel, Dot, first, end>(record, x, t0, sums);
#endif
}

// Factors of the sums of a tile.
using TileScales = VF[slices][tileTokens];

// Adds the sums times row and token scales, which are kept in `products` unless that is null.
HWY_INLINE void foldTile(const TileSums& sums, const float* scales, const std::byte* x, std::size_t t0, TileScales* products,
                         VF (&acc)[slices][tileTokens]) {
    VF rowScales[slices];
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { rowScales[s] = hn::Load(Floats(), scales + s * lanes); }
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VF scale = hn::Set(Floats(), floats(x + R::scale)[t0 + t]);
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            const VF product = hn::Mul(rowScales[s], scale);
            if (products) (*products)[s][t] = product;
            acc[s][t] = hn::MulAdd(hn::ConvertTo(Floats(), sums[s][t]), product, acc[s][t]);
        }
    }
}

// Adds the sums times products that were kept.
HWY_INLINE void foldTile(const TileSums& sums, const TileScales& products, VF (&acc)[slices][tileTokens]) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            acc[s][t] = hn::MulAdd(hn::ConvertTo(Floats(), sums[s][t]), products[s][t], acc[s][t]);
        }
    }
}

template <class Panel, class Dot>
HWY_INLINE void addRecord(const Expanded<Panel, Dot>& record, const std::byte* x, const WideTokens& wide, std::size_t t0,
                          VF (&acc)[slices][tileTokens]) {
    TileSums sums;
    if constexpr (Panel::splits) {
        TileScales products;
        dotTile<Panel, Dot, 0, 4>(record, x, wide, t0, sums);
        foldTile(sums, record.scales[0], x, t0, hasOneScale<Panel> ? &products : nullptr, acc);
        dotTile<Panel, Dot, 4, 8>(record, x, wide, t0, sums);
        if constexpr (hasOneScale<Panel>) foldTile(sums, products, acc);
        else foldTile(sums, record.scales[1], x, t0, nullptr, acc);
    } else {
        dotTile<Panel, Dot, 0, 8>(record, x, wide, t0, sums);
        foldTile(sums, record.scales[0], x, t0, nullptr, acc);
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
template <class Panel, class Dot>
HWY_INLINE void addTile(const Expanded<Panel, Dot>* records, std::size_t count, const std::byte* x, const WideTokens* wide,
                        std::size_t t0, bool isFirst, float* out, std::size_t stride) {
    VF acc[slices][tileTokens];
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            acc[s][t] = isFirst ? hn::Zero(Floats()) : hn::LoadU(Floats(), out + t * stride + s * lanes);
        }
    }
    for (std::size_t i = 0; i < count; ++i, x += R::bytes)
        addRecord<Panel, Dot>(records[i], x, wide[isWide<Panel, Dot> ? i : 0], t0, acc);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { hn::StoreU(acc[s][t], Floats(), out + t * stride + s * lanes); }
    }
}

template <class Dot>
struct ExpandedForms {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) {
            Expanded<Panel, Dot> expanded[recordsAtOnce];
            alignas(64) WideTokens wide[isWide<Panel, Dot> ? recordsAtOnce : 1];
            const std::size_t records = p.blocks * Panel::records;
            for (std::size_t first = 0; first < records; first += recordsAtOnce) {
                const std::size_t count = std::min(recordsAtOnce, records - first);
                expand<Panel, Dot>(p.panel + first / Panel::records * Panel::bytes, count, expanded);
                for (std::size_t g = 0; g < p.groups; ++g) {
                    const std::byte* const x = p.activations + g * p.groupBytes + first * R::bytes;
                    float* const out = p.out + g * groupTokens * p.stride;
#if WB_PAIR_SUMS
                    if constexpr (isWide<Panel, Dot>)
                        for (std::size_t i = 0; i < count; ++i) widenTokens(x + i * R::bytes, wide[i]);
#endif
                    for (std::size_t t0 = 0; t0 < groupTokens; t0 += tileTokens)
                        addTile<Panel, Dot>(expanded, count, x, wide, t0, first == 0, out + t0 * p.stride, p.stride);
                }
            }
        }
    };
};

template <class Dot>
std::array<Multiply, panelTypes> formsByDot() {
    auto forms = integerForms<ExpandedForms<Dot>::template Form>();
    eachLattice([&]<class L>(PanelType type) {
        forms[static_cast<std::size_t>(type)] = ExpandedForms<Dot>::template Form<UnpackedLattice<L>>::multiply;
    });
    return forms;
}

} // namespace

std::array<Multiply, panelTypes> expandedForms(ByteProducts products) {
    switch (products) {
#if WB_PAIR_SUMS
    case ByteProducts::None: return formsByDot<PairSums>();
#else
    case ByteProducts::None: return formsByDot<NeonDot>();
#endif
#if WB_AVX_VNNI
    case ByteProducts::AvxVnni: return formsByDot<AvxVnniDot<false>>();
    case ByteProducts::AvxVnniByEvex: return formsByDot<AvxVnniDot<true>>();
#endif
#if WB_ARM_DOTS
    case ByteProducts::DotProd: return formsByDot<SignedDot>();
    case ByteProducts::I8mm: return formsByDot<MixedDot>();
#endif
    default: return {};
    }
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(expandedForms);

std::array<Multiply, panelTypes> expandedSimd(ByteProducts products) { return HWY_DYNAMIC_DISPATCH(expandedForms)(products); }

} // namespace wb::infer::cpu
#endif

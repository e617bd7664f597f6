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

#if WB_PAIR_SUMS
// Lattices whose codes are all odd or all even: half their distance from the smallest one is multiplied, so that more sums fit into
// 16 bits.
template <class L>
struct HalvedLattice : UnpackedLattice<L> {
    static constexpr int largest = L::largest;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        constexpr auto smallest = static_cast<std::uint8_t>((1 << UnpackedLattice<L>::biasShift) - L::largest);
        return expandBits<1, 7>(hn::Sub(UnpackedLattice<L>::template codes<record, j>(block, r), hn::Set(Bytes(), smallest)));
    }
};
template <class L>
constexpr bool isHalved = std::is_same_v<L, LatticeIQ1_S> || std::is_same_v<L, LatticeIQ1_M> || std::is_same_v<L, LatticeIQ3_XXS> ||
                          std::is_same_v<L, LatticeIQ3_S>;

// A weight is its code times `factor` minus `bias`.
template <class Panel>
struct ShortCodes {
    static constexpr std::int16_t factor = 1;
    static constexpr std::int32_t bias = Panel::biasShift < 0 ? 0 : 1 << std::max(Panel::biasShift, 0);
};
template <class L>
struct ShortCodes<HalvedLattice<L>> {
    static constexpr std::int16_t factor = 2;
    static constexpr std::int32_t bias = L::largest;
};
#endif

// Types of which both halves of a record have the same scale.
template <class Panel>
constexpr bool hasOneScale = std::is_same_v<Panel, PanelQ5_0> || std::is_same_v<Panel, PanelQ5_1> ||
                             std::is_same_v<Panel, PanelQ5_K> || std::is_same_v<Panel, PanelMXFP4>;

// ---- expansion

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
        hn::StoreU(codesForDot<Panel, Dot>(codes), Bytes(), to.codes[j] + 4 * r);
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
    const VS factor = hn::Set(Shorts(), ShortCodes<Panel>::factor);
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums[s][t] = multiplyShorts(pairs[s][t], factor); }
    }
}

// Those of `step` vectors do.
template <class Panel, class Dot, std::size_t first, std::size_t end, std::size_t step>
HWY_INLINE void dotBySteps(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
    const VS factor = hn::Set(Shorts(), ShortCodes<Panel>::factor);
    WB_UNROLL for (std::size_t j = first; j < end; j += step) {
        VB codes[step][slices];
        WB_UNROLL for (std::size_t i = 0; i < step; ++i) {
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { codes[i][s] = codesAt(record, j + i, s); }
        }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            VB four[step];
            WB_UNROLL for (std::size_t i = 0; i < step; ++i) { four[i] = fourCodes(x + t * recordColumns + 4 * (j + i)); }
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                VS pairs = multiplyPairs(codes[0][s], four[0]);
                WB_UNROLL for (std::size_t i = 1; i < step; ++i) { pairs = hn::Add(pairs, multiplyPairs(codes[i][s], four[i])); }
                const VI sum = multiplyShorts(pairs, factor);
                sums[s][t] = j == first ? sum : addHere(sums[s][t], sum);
            }
        }
    }
}

template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotMasked(const Expanded<Panel, Dot>& record, const std::byte* x, TileSums& sums) {
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        VI start = hn::Load(Ints(), record.starts[first / 4] + s * lanes);
        if constexpr (end - first == 8) start = hn::Add(start, hn::Load(Ints(), record.starts[1] + s * lanes));
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) { sums[s][t] = start; }
    }
    WB_UNROLL for (std::size_t j = first; j < end; ++j) {
        VB codes[slices], masks[slices];
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
            codes[s] = codesAt(record, j, s);
            masks[s] = hn::Load(Bytes(), record.masks[j] + 4 * lanes * s);
        }
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            const VB four = fourCodes(x + t * recordColumns + 4 * j);
            WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
                sums[s][t] = addHere(sums[s][t], addPairs(multiplyPairs(codes[s], hn::Xor(four, masks[s]))));
            }
        }
    }
}

// Adds what takes the bias away.
template <class Panel, std::size_t first, std::size_t end>
HWY_INLINE void addBias(const std::byte* x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        const VI start = hn::Set(Ints(), negativeSum<first, end>(x, t0 + t) * ShortCodes<Panel>::bias);
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
HWY_INLINE void dotTile(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, TileSums& sums) {
#if WB_PAIR_SUMS
    const std::byte* const codes = x + t0 * recordColumns;
    if constexpr (isMasked<Panel, Dot>) {
        dotMasked<Panel, Dot, first, end>(record, codes, sums);
    } else if constexpr (std::is_same_v<Dot, PairSums>) {
        if constexpr (sumsInShorts<Panel> >= end - first) dotInShorts<Panel, Dot, first, end>(record, codes, sums);
        else dotBySteps<Panel, Dot, first, end, sumsInShorts<Panel> == 1 ? 1 : 2>(record, codes, sums);
        if constexpr (ShortCodes<Panel>::bias > 0) addBias<Panel, first, end>(x, t0, sums);
    } else {
        dotBytes<Panel, Dot, first, end>(record, x, t0, sums);
    }
#else
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
HWY_INLINE void addRecord(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, VF (&acc)[slices][tileTokens]) {
    TileSums sums;
    if constexpr (Panel::splits) {
        TileScales products;
        dotTile<Panel, Dot, 0, 4>(record, x, t0, sums);
        foldTile(sums, record.scales[0], x, t0, hasOneScale<Panel> ? &products : nullptr, acc);
        dotTile<Panel, Dot, 4, 8>(record, x, t0, sums);
        if constexpr (hasOneScale<Panel>) foldTile(sums, products, acc);
        else foldTile(sums, record.scales[1], x, t0, nullptr, acc);
    } else {
        dotTile<Panel, Dot, 0, 8>(record, x, t0, sums);
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
HWY_INLINE void addTile(const Expanded<Panel, Dot>* records, std::size_t count, const std::byte* x, std::size_t t0, bool isFirst,
                        float* out, std::size_t stride) {
    VF acc[slices][tileTokens];
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            acc[s][t] = isFirst ? hn::Zero(Floats()) : hn::LoadU(Floats(), out + t * stride + s * lanes);
        }
    }
    for (std::size_t i = 0; i < count; ++i, x += R::bytes) addRecord<Panel, Dot>(records[i], x, t0, acc);
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
            const std::size_t records = p.blocks * Panel::records;
            for (std::size_t first = 0; first < records; first += recordsAtOnce) {
                const std::size_t count = std::min(recordsAtOnce, records - first);
                expand<Panel, Dot>(p.panel + first / Panel::records * Panel::bytes, count, expanded);
                for (std::size_t g = 0; g < p.groups; ++g) {
                    const std::byte* const x = p.activations + g * p.groupBytes + first * R::bytes;
                    float* const out = p.out + g * groupTokens * p.stride;
                    for (std::size_t t0 = 0; t0 < groupTokens; t0 += tileTokens)
                        addTile<Panel, Dot>(expanded, count, x, t0, first == 0, out + t0 * p.stride, p.stride);
                }
            }
        }
    };
};

template <class Dot>
std::array<Multiply, panelTypes> formsByDot() {
    auto forms = integerForms<ExpandedForms<Dot>::template Form>();
    eachLattice([&]<class L>(PanelType type) {
        auto& form = forms[static_cast<std::size_t>(type)];
        form = ExpandedForms<Dot>::template Form<UnpackedLattice<L>>::multiply;
#if WB_PAIR_SUMS
        if constexpr (std::is_same_v<Dot, PairSums> && isHalved<L>)
            form = ExpandedForms<Dot>::template Form<HalvedLattice<L>>::multiply;
#endif
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

// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// Many tokens times a panel whose codes and scales were expanded (expansion-inl.h) and stay in the nearest cache while all groups
// are multiplied. Unpacking a type is then a small part of the time, and one loop serves all types.
#if defined(WB_INFER_EXPANDED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_EXPANDED_INL_H
#undef WB_INFER_EXPANDED_INL_H
#else
#define WB_INFER_EXPANDED_INL_H
#endif

#include "core/infer/cpu/kernels/integers-inl.h"
#include "core/infer/cpu/kernels/pair_sums-inl.h"

#if WB_PAIR_SUMS || WB_ARM_DOTS
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void startSums(const std::byte* x, std::size_t t0, TileSums& sums) {
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        VI start = hn::Zero(Ints());
        if constexpr (!isBiasOff<Panel, Dot>) start = startFromNegativeSum<Panel>(negativeSum<first, end>(x, t0 + t));
        WB_UNROLL for (std::size_t s = 0; s < slices; ++s) { sums[s][t] = start; }
    }
}

// Dot products of bytes.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotBytes(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, TileSums& sums) {
    startSums<Panel, Dot, first, end>(x, t0, sums);
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
template <class Panel, class Dot, std::size_t j>
HWY_INLINE void addColumns(const Expanded<Panel, Dot>& record, const VB (&tokens)[tileTokens], TileSums& sums) {
    WB_UNROLL for (std::size_t s = 0; s < slices; ++s) {
        const VB codes = codesAt(record, j, s);
        WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
            sums[s][t] = Dot::template addPart<j % 4>(sums[s][t], codes, tokens[t]);
        }
    }
}

// The same where a dot product takes its columns from a vector of 16: one load instead of four that copy into all lanes.
template <class Panel, class Dot, std::size_t first, std::size_t end>
HWY_INLINE void dotParts(const Expanded<Panel, Dot>& record, const std::byte* x, std::size_t t0, TileSums& sums) {
    VB tokens[tileTokens];
    WB_UNROLL for (std::size_t t = 0; t < tileTokens; ++t) {
        tokens[t] = hn::LoadU(Bytes(), raw(x) + (t0 + t) * recordColumns + 4 * first);
    }
    addColumns<Panel, Dot, first>(record, tokens, sums);
    addColumns<Panel, Dot, first + 1>(record, tokens, sums);
    addColumns<Panel, Dot, first + 2>(record, tokens, sums);
    addColumns<Panel, Dot, first + 3>(record, tokens, sums);
    if constexpr (first + 4 < end) dotParts<Panel, Dot, first + 4, end>(record, x, t0, sums);
}

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
        const VI start = startFromNegativeSum<Panel>(negativeSum<first, end>(x, t0 + t));
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
        if constexpr (codeBias<Panel> > 0) addBias<Panel, first, end>(x, t0, sums);
    } else {
        dotBytes<Panel, Dot, first, end>(record, x, t0, sums);
    }
#else
    if constexpr (isTwoByTwo<Dot>) {
        dotTwoByTwo<Panel, Dot, first, end>(record, x, t0, sums);
    } else if constexpr (takesParts<Dot>) {
        startSums<Panel, Dot, first, end>(x, t0, sums);
        dotParts<Panel, Dot, first, end>(record, x, t0, sums);
    } else dotBytes<Panel, Dot, first, end>(record, x, t0, sums);
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

// Up to how many groups are multiplied by the panel as it is stored: with vectors of 512 bits, unpacking it again for each of two
// groups is faster than expanding it.
template <class Dot>
constexpr std::size_t groupsAsStored = 0;
#if WB_AVX512_VNNI
template <>
inline constexpr std::size_t groupsAsStored<VnniDot> = 2;
#endif

template <class Dot>
struct ExpandedForms {
    template <class Panel>
    struct Form {
        static void multiply(const Product& p) {
            if constexpr (groupsAsStored<Dot> > 0 && !requires { Panel::unpackedBytes; })
                if (p.groups <= groupsAsStored<Dot>) return eachGroup<multiplyGroup<Panel, Dot>>(p);
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

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif

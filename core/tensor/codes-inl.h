// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// What the SIMD decoders of all block types share. A block is decoded in two steps: its codes are unpacked into a small array of
// signed bytes, in element order and with bias and sign applied; then every run of codes is multiplied by its scale and, where
// the type has a minimum, moved. Both steps are exact but for the one or two roundings that the reference has.
#if defined(WB_TENSOR_CODES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_TENSOR_CODES_INL_H
#undef WB_TENSOR_CODES_INL_H
#else
#define WB_TENSOR_CODES_INL_H
#endif

#include "core/tensor/block_layout.h"
#include "core/tensor/decode.h"
#include "core/tensor/half.h"

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace wb::fast::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t count>
using ByteTag = hn::CappedTag<std::uint8_t, std::min<std::size_t>(count, 32)>;

// The codes of one block. Passes treat them as unsigned bytes, in which sums wrap to the same bits.
template <std::size_t count>
struct Codes {
    alignas(64) std::uint8_t at[count];
};

HWY_INLINE const std::uint8_t* raw(const std::byte* at) { return reinterpret_cast<const std::uint8_t*>(at); }

HWY_INLINE float half(std::uint16_t bits) {
    const hn::CappedTag<float, 4> df;
    const hn::Rebind<hwy::float16_t, decltype(df)> dh;
    const hn::Rebind<std::uint16_t, decltype(df)> du;
    return hn::GetLane(hn::PromoteTo(df, hn::BitCast(dh, hn::Set(du, bits))));
}
HWY_INLINE float half(const std::byte* at) { return half(load<std::uint16_t>(at)); }

// out[i] = code[i] * scales[i / run].
template <std::size_t run, std::size_t count>
HWY_INLINE void scaleCodes(const std::uint8_t* codes, const float* scales, float* out) {
    const hn::CappedTag<float, std::min<std::size_t>(run, 16)> df;
    const hn::RebindToSigned<decltype(df)> di;
    const hn::Rebind<std::int8_t, decltype(df)> d8;
    const auto* signedCodes = reinterpret_cast<const std::int8_t*>(codes);
    for (std::size_t i = 0; i < count; i += run) {
        const auto scale = hn::Set(df, scales[i / run]);
        for (std::size_t j = i; j < i + run; j += hn::Lanes(df)) {
            const auto code = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(d8, signedCodes + j)));
            hn::StoreU(hn::Mul(code, scale), df, out + j);
        }
    }
}

// out[i] = code[i] * scales[i / run] + offsets[i / run], rounded twice as the reference does.
template <std::size_t run, std::size_t count>
HWY_INLINE void scaleAndMove(const std::uint8_t* codes, const float* scales, const float* offsets, float* out) {
    const hn::CappedTag<float, std::min<std::size_t>(run, 16)> df;
    const hn::RebindToSigned<decltype(df)> di;
    const hn::Rebind<std::int8_t, decltype(df)> d8;
    const auto* signedCodes = reinterpret_cast<const std::int8_t*>(codes);
    for (std::size_t i = 0; i < count; i += run) {
        const auto scale = hn::Set(df, scales[i / run]);
        const auto offset = hn::Set(df, offsets[i / run]);
        for (std::size_t j = i; j < i + run; j += hn::Lanes(df)) {
            const auto code = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(d8, signedCodes + j)));
            hn::StoreU(hn::Add(hn::Mul(code, scale), offset), df, out + j);
        }
    }
}

// Codes 0 … H-1 from the low and H … 2H-1 from the high nibbles of H bytes, less `bias`.
template <std::size_t H, unsigned bias = 0>
HWY_INLINE void nibbles(const std::byte* packed, std::uint8_t* codes) {
    const ByteTag<H> d;
    const auto less = hn::Set(d, static_cast<std::uint8_t>(bias));
    for (std::size_t i = 0; i < H; i += hn::Lanes(d)) {
        const auto bytes = hn::LoadU(d, raw(packed) + i);
        hn::StoreU(hn::Sub(hn::And(bytes, hn::Set(d, std::uint8_t{15})), less), d, codes + i);
        hn::StoreU(hn::Sub(hn::ShiftRight<4>(bytes), less), d, codes + H + i);
    }
}

// The same with the nibbles replaced by the levels of a table.
template <std::size_t H>
HWY_INLINE void nibbleLevels(const std::byte* packed, const std::array<std::int8_t, 16>& levels, std::uint8_t* codes) {
    const hn::CappedTag<std::uint8_t, std::min<std::size_t>(H, 16)> d;
    const hn::CappedTag<std::uint8_t, 16> dTable;
    const auto table = hn::LoadU(dTable, reinterpret_cast<const std::uint8_t*>(levels.data()));
    for (std::size_t i = 0; i < H; i += hn::Lanes(d)) {
        const auto bytes = hn::LoadU(d, raw(packed) + i);
        hn::StoreU(hn::TableLookupBytes(table, hn::And(bytes, hn::Set(d, std::uint8_t{15}))), d, codes + i);
        hn::StoreU(hn::TableLookupBytes(table, hn::ShiftRight<4>(bytes)), d, codes + H + i);
    }
}

// 256 two-bit codes of the super-blocks, less `bias`.
template <unsigned bias = 0>
HWY_INLINE void twoBits(const std::byte* packed, std::uint8_t* codes) {
    const ByteTag<32> d;
    const auto three = hn::Set(d, std::uint8_t{3});
    const auto less = hn::Set(d, static_cast<std::uint8_t>(bias));
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
            const auto bytes = hn::LoadU(d, raw(packed) + 32 * c + l);
            std::uint8_t* const to = codes + 128 * c + l;
            hn::StoreU(hn::Sub(hn::And(bytes, three), less), d, to);
            hn::StoreU(hn::Sub(hn::And(hn::ShiftRight<2>(bytes), three), less), d, to + 32);
            hn::StoreU(hn::Sub(hn::And(hn::ShiftRight<4>(bytes), three), less), d, to + 64);
            hn::StoreU(hn::Sub(hn::ShiftRight<6>(bytes), less), d, to + 96);
        }
}

// Adds `ifSet` or `ifClear` to each code by its bit: bit i % 8 of byte i / 8. `bits` has at least six readable bytes after the
// bits themselves, because masks are loaded eight bytes at a time. `width` is that of the stores which wrote the codes: a wider
// load would have to wait for them to reach the cache.
template <std::size_t count, int ifSet, int ifClear, std::size_t width = 32>
HWY_INLINE void addByBit(const std::uint8_t* bits, std::uint8_t* codes) {
    const ByteTag<width> d;
    const auto set = hn::Set(d, static_cast<std::uint8_t>(ifSet));
    const auto clear = hn::Set(d, static_cast<std::uint8_t>(ifClear));
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const auto mask = hn::LoadMaskBits(d, bits + i / 8);
        hn::StoreU(hn::Add(hn::LoadU(d, codes + i), hn::IfThenElse(mask, set, clear)), d, codes + i);
    }
}

// The same for 256 codes whose bit is bit i / 32 of byte i % 32.
template <int ifSet, int ifClear>
HWY_INLINE void addByPlane(const std::byte* planes, std::uint8_t* codes) {
    const ByteTag<32> d;
    const auto set = hn::Set(d, static_cast<std::uint8_t>(ifSet));
    const auto clear = hn::Set(d, static_cast<std::uint8_t>(ifClear));
    for (std::size_t l = 0; l < 32; l += hn::Lanes(d)) {
        const auto bytes = hn::LoadU(d, raw(planes) + l);
        for (std::size_t k = 0; k < 8; ++k) {
            const auto mask = hn::TestBit(bytes, hn::Set(d, static_cast<std::uint8_t>(1u << k)));
            std::uint8_t* const to = codes + 32 * k + l;
            hn::StoreU(hn::Add(hn::LoadU(d, to), hn::IfThenElse(mask, set, clear)), d, to);
        }
    }
}

// Whether the f16 numbers at these offsets are finite.
template <std::size_t... offsets>
bool finiteHalves(const std::byte* block) {
    return (((loadU16(block + offsets) & 0x7C00u) != 0x7C00u) && ...);
}

// A row decoder from a block's kernel. Where a scale is infinite or NaN the reference decodes the block: only it knows what a NaN
// becomes, and no kernel has to care.
template <Dtype dtype, class Layout, void (*kernel)(const std::byte* block, float* out), bool (*finite)(const std::byte* block)>
void finiteBlocks(const std::byte* in, float* out, std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i, in += Layout::bytes, out += Layout::elements) {
        if (finite(in)) [[likely]]
            kernel(in, out);
        else scalar::decode(dtype, {in, Layout::bytes}, {out, Layout::elements});
    }
}

} // namespace wb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

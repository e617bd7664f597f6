// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"
#include "core/quant/kernels/row_encoders.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

#include <cmath>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_direct_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/block_codes-inl.h"
#include "core/quant/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the reference is as good.
RowEncoder DirectForms(Dtype) { return nullptr; }
#else

HWY_INLINE float LargestMagnitude(const float* x, std::size_t count) {
    V largest = Number(0);
    for (std::size_t i = 0; i < count; i += Lanes()) largest = hn::Max(largest, hn::Abs(hn::LoadU(Floats(), x + i)));
    return hn::GetLane(hn::MaxOfLanes(Floats(), largest));
}

// The first element for which `holds` is true; one does.
template <class Predicate>
HWY_INLINE float FirstOf(const float* x, std::size_t count, Predicate holds) {
    for (std::size_t i = 0; i < count; i += Lanes()) {
        const auto lane = hn::FindFirstTrue(Floats(), holds(hn::LoadU(Floats(), x + i)));
        if (lane >= 0) return x[i + static_cast<std::size_t>(lane)];
    }
    return 0;
}

float InverseOrZero(float d) { return d != 0 ? 1.0f / d : 0.0f; }

// Nearest, halves away from zero, for |x| that fit an int: what is added is the largest float below a half, with which every sum
// rounds to the right side.
HWY_INLINE VI RoundAway(V x) { return hn::ConvertTo(Ints(), hn::Add(x, hn::CopySign(Number(0.49999997f), x))); }

// roundAway(x · inverse). An infinite inverse gives products that are no integers, which count as 0.
struct Rounding {
    V inverse;
    bool none;
    explicit Rounding(float value) : inverse(Number(value)), none(!std::isfinite(value)) {}
    HWY_INLINE VI operator()(V x) const { return none ? hn::Zero(Ints()) : RoundAway(hn::Mul(x, inverse)); }
};

template <std::size_t elements, std::size_t bytes, class Encode>
HWY_INLINE void ForBlocks(const RowInput& row, Encode encode) {
    std::byte* out = row.out;
    for (std::size_t i = 0; i < row.x.size(); i += elements, out += bytes) encode(row.x.data() + i, out);
}
template <class Layout, class Encode>
HWY_INLINE void ForBlocksOf(const RowInput& row, Encode encode) {
    ForBlocks<Layout::elements, Layout::bytes>(row, encode);
}

void EncodeF16(const RowInput& row) {
    const hn::Rebind<hwy::float16_t, Floats> half;
    std::size_t i = 0;
    for (; i + Lanes() <= row.x.size(); i += Lanes())
        hn::StoreU(hn::DemoteTo(half, hn::LoadU(Floats(), row.x.data() + i)), half, reinterpret_cast<hwy::float16_t*>(row.out) + i);
    for (; i < row.x.size(); ++i) store(row.out + 2 * i, f32ToF16(row.x[i]));
}

void EncodeBf16(const RowInput& row) {
    const hn::RebindToUnsigned<Floats> bits;
    const hn::Rebind<std::uint16_t, Floats> half;
    std::size_t i = 0;
    for (; i + Lanes() <= row.x.size(); i += Lanes()) {
        const auto x = hn::BitCast(bits, hn::LoadU(Floats(), row.x.data() + i));
        const auto odd = hn::And(hn::ShiftRight<16>(x), hn::Set(bits, 1));
        const auto rounded = hn::ShiftRight<16>(hn::Add(x, hn::Add(odd, hn::Set(bits, 0x7FFF))));
        const auto narrow = hn::DemoteTo(half, hn::BitCast(Ints(), rounded));
        hn::StoreU(narrow, half, reinterpret_cast<std::uint16_t*>(row.out) + i);
    }
    for (; i < row.x.size(); ++i) store(row.out + 2 * i, f32ToBf16(row.x[i]));
}

void EncodeQ8_0(const RowInput& row) {
    using L = layout::Q8_0;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        const float d = LargestMagnitude(x, 32) / 127;
        const Rounding round(InverseOrZero(d));
        store(out + L::d, f32ToF16(d));
        const hn::Rebind<std::int8_t, Floats> bytes;
        for (std::size_t i = 0; i < 32; i += Lanes())
            hn::StoreU(hn::DemoteTo(bytes, round(hn::LoadU(Floats(), x + i))), bytes,
                       reinterpret_cast<std::int8_t*>(out + L::codes) + i);
    });
}

// Symmetric codes 0 … 2n-1 around n. An infinite inverse makes every code 0.
template <int n>
struct SymmetricCodes {
    float d;
    V inverse;
    bool none;
    explicit SymmetricCodes(const float* x) {
        const float largest = LargestMagnitude(x, 32);
        const V magnitude = Number(largest);
        const float signedLargest = largest > 0 ? FirstOf(x, 32, [=](V v) { return hn::Eq(hn::Abs(v), magnitude); }) : 0.0f;
        d = signedLargest / static_cast<float>(-n);
        none = !std::isfinite(InverseOrZero(d));
        inverse = Number(InverseOrZero(d));
    }
    HWY_INLINE VI operator()(V x) const {
        if (none) return hn::Zero(Ints());
        const VI code = hn::ConvertTo(Ints(), hn::Add(hn::Mul(x, inverse), Number(static_cast<float>(n) + 0.5f)));
        return hn::Min(code, hn::Set(Ints(), 2 * n - 1));
    }
};

// Codes 0 … n over the range of a block. Of equal smallest or largest elements the first counts: the zero's sign is stored.
template <int n>
struct RangeCodes {
    float d, low;
    V inverse;
    bool none;
    explicit RangeCodes(const float* x) {
        V least = Number(std::numeric_limits<float>::max());
        V most = Number(std::numeric_limits<float>::lowest());
        for (std::size_t i = 0; i < 32; i += Lanes()) {
            least = hn::Min(least, hn::LoadU(Floats(), x + i));
            most = hn::Max(most, hn::LoadU(Floats(), x + i));
        }
        least = hn::MinOfLanes(Floats(), least);
        most = hn::MaxOfLanes(Floats(), most);
        low = FirstOf(x, 32, [=](V v) { return hn::Eq(v, least); });
        const float high = FirstOf(x, 32, [=](V v) { return hn::Eq(v, most); });
        d = (high - low) / static_cast<float>(n);
        none = !std::isfinite(d) || !std::isfinite(InverseOrZero(d));
        inverse = Number(InverseOrZero(d));
    }
    HWY_INLINE VI operator()(V x) const {
        if (none) return hn::Zero(Ints());
        const VI code = hn::ConvertTo(Ints(), hn::Add(hn::Mul(hn::Sub(x, Number(low)), inverse), Number(0.5f)));
        return hn::Min(code, hn::Set(Ints(), n));
    }
};

void EncodeQ4_0(const RowInput& row) {
    ForBlocksOf<layout::Q4_0>(row, [](const float* x, std::byte* out) {
        const SymmetricCodes<8> codes(x);
        store(out + layout::Q4_0::d, f32ToF16(codes.d));
        StoreNibbles(x, codes, out + layout::Q4_0::codes);
    });
}

void EncodeQ5_0(const RowInput& row) {
    ForBlocksOf<layout::Q5_0>(row, [](const float* x, std::byte* out) {
        const SymmetricCodes<16> codes(x);
        store(out + layout::Q5_0::d, f32ToF16(codes.d));
        store(out + layout::Q5_0::high, StoreNibbles(x, codes, out + layout::Q5_0::codes));
    });
}

void EncodeQ4_1(const RowInput& row) {
    ForBlocksOf<layout::Q4_1>(row, [](const float* x, std::byte* out) {
        const RangeCodes<15> codes(x);
        store(out + layout::Q4_1::d, f32ToF16(codes.d));
        store(out + layout::Q4_1::m, f32ToF16(codes.low));
        StoreNibbles(x, codes, out + layout::Q4_1::codes);
    });
}

void EncodeQ5_1(const RowInput& row) {
    ForBlocksOf<layout::Q5_1>(row, [](const float* x, std::byte* out) {
        // The reference does not clamp here; within a range no code exceeds 31 either.
        const RangeCodes<31> codes(x);
        store(out + layout::Q5_1::d, f32ToF16(codes.d));
        store(out + layout::Q5_1::m, f32ToF16(codes.low));
        store(out + layout::Q5_1::high, StoreNibbles(x, codes, out + layout::Q5_1::codes));
    });
}

void EncodeQ1_0(const RowInput& row) {
    using L = layout::Q1_0;
    ForBatches<V>(row.x.size() / 128, [&](std::size_t first, std::size_t count) {
        const Groups<V> places(128, first, count);
        V sum = Number(0);
        for (std::size_t i = 0; i < 128; i += 4)
            for (const V x : places.loadFour(row.x.data(), i)) sum = hn::Add(sum, hn::Abs(x));
        HWY_ALIGN float d[maxLanes];
        hn::Store(hn::Div(sum, Number(128)), Floats(), d);
        for (std::size_t g = 0; g < count; ++g) {
            std::byte* const out = row.out + (first + g) * L::bytes;
            const float* const x = row.x.data() + (first + g) * 128;
            store(out + L::d, f32ToF16(d[g]));
            for (std::size_t byte = 0; byte < 16; byte += 4) {
                std::uint32_t bits = 0;
                for (std::size_t i = 0; i < 32; i += Lanes())
                    bits |= MaskBits(hn::Ge(hn::LoadU(Floats(), x + 8 * byte + i), Number(0))) << i;
                store(out + L::codes + byte, bits);
            }
        }
    });
}

// Writes clamp(round(x · inverse) + 1, 0, 3) or the like as bytes.
template <std::size_t count, class CodeOf>
HWY_INLINE void StoreBytes(const float* x, CodeOf codeOf, std::uint8_t* codes) {
    for (std::size_t i = 0; i < count; i += Lanes())
        hn::StoreU(hn::DemoteTo(Bytes(), codeOf(hn::LoadU(Floats(), x + i))), Bytes(), codes + i);
}

void EncodeQ2_0(const RowInput& row) {
    using L = layout::Q2_0;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        const float d = LargestMagnitude(x, 64);
        const Rounding round(InverseOrZero(d));
        store(out + L::d, f32ToF16(d));
        std::uint8_t codes[64];
        // What is no integer counts as far below here.
        const VI one = hn::Set(Ints(), round.none ? 0 : 1);
        StoreBytes<64>(x, [&](V v) { return hn::Add(round(v), one); }, codes);
        for (std::size_t byte = 0; byte < 16; ++byte) {
            const std::uint8_t* const c = codes + 4 * byte;
            store(out + L::codes + byte, static_cast<std::uint8_t>(c[0] | c[1] << 2 | c[2] << 4 | c[3] << 6));
        }
    });
}

HWY_INLINE VI Trit(const Rounding& round, const float* x) { return hn::Add(round(hn::LoadU(Floats(), x)), hn::Set(Ints(), 1)); }

void EncodeTq2_0(const RowInput& row) {
    using L = layout::TQ2_0;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        const float d = LargestMagnitude(x, 256);
        const Rounding round(InverseOrZero(d));
        store(out + L::d, f32ToF16(d));
        for (std::size_t byte = 0; byte < 64; byte += Lanes()) {
            const float* const from = x + 128 * (byte / 32) + byte % 32;
            const VI low = hn::Or(Trit(round, from), hn::ShiftLeft<2>(Trit(round, from + 32)));
            const VI high = hn::Or(Trit(round, from + 64), hn::ShiftLeft<2>(Trit(round, from + 96)));
            const VI both = hn::Or(low, hn::ShiftLeft<4>(high));
            hn::StoreU(hn::DemoteTo(Bytes(), both), Bytes(), reinterpret_cast<std::uint8_t*>(out + L::codes + byte));
        }
    });
}

// The byte of a number of five trits: (256q + 242) / 243.
HWY_INLINE VI TritByte(VI q) {
    const VI rest = hn::Add(hn::Mul(q, hn::Set(Ints(), 13)), hn::Set(Ints(), 242));
    return hn::Add(q, hn::ShiftRight<16>(hn::Mul(rest, hn::Set(Ints(), 270)))); // / 243 for everything that occurs
}

void EncodeTq1_0(const RowInput& row) {
    using L = layout::TQ1_0;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        const float d = LargestMagnitude(x, 256);
        const Rounding round(InverseOrZero(d));
        store(out + L::d, f32ToF16(d));
        const auto pack = [&](const float* from, std::size_t stride, std::size_t bytes, std::size_t trits, std::byte* to) {
            for (std::size_t m = 0; m < bytes; m += Lanes()) {
                VI q = hn::Zero(Ints());
                for (std::size_t n = 0; n < trits; ++n)
                    q = hn::Add(hn::Mul(q, hn::Set(Ints(), 3)), Trit(round, from + m + n * stride));
                if (trits == 4) q = hn::Mul(q, hn::Set(Ints(), 3));
                HWY_ALIGN std::uint8_t packed[maxLanes];
                hn::Store(hn::DemoteTo(Bytes(), TritByte(q)), Bytes(), packed);
                for (std::size_t i = 0; i < std::min(Lanes(), bytes - m); ++i) store(to + m + i, packed[i]);
            }
        };
        pack(x, 32, 32, 5, out + L::five);
        pack(x + 160, 16, 16, 5, out + L::five + 32);
        // The last four bytes are four elements apart; the extra bytes that a vector reads must belong to the block.
        HWY_ALIGN float tail[4 * maxLanes] = {};
        for (std::size_t n = 0; n < 4; ++n) std::copy_n(x + 240 + 4 * n, 4, tail + n * maxLanes);
        pack(tail, maxLanes, 4, 4, out + L::four);
    });
}

// The first of the levels of FP4 that is nearest to x at a scale. Code 8 is minus zero and never nearer than zero.
struct NearestFp4 {
    float scale;
    template <std::size_t... i>
    HWY_INLINE VI search(V x, std::index_sequence<i...>) const {
        VI code = hn::Zero(Ints());
        V best = hn::Abs(x);
        const auto consider = [&](std::size_t c) {
            const V error = hn::Abs(hn::Sub(Number(static_cast<float>(tables::values_fp4[c]) * scale), x));
            const M nearer = hn::Lt(error, best);
            best = hn::IfThenElse(nearer, error, best);
            code = hn::IfThenElse(hn::RebindMask(Ints(), nearer), hn::Set(Ints(), static_cast<int>(c)), code);
        };
        (consider(i + 1), ...);
        return code;
    }
    HWY_INLINE VI operator()(V x) const { return search(x, std::make_index_sequence<15>()); }
};

void EncodeMxfp4(const RowInput& row) {
    using L = layout::MXFP4;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        const std::uint8_t exponent = scalar::mxfp4Exponent(LargestMagnitude(x, 32));
        store(out + L::scale, exponent);
        StoreNibbles(x, NearestFp4{e8m0HalfToF32(exponent)}, out + L::codes);
    });
}

void EncodeNvfp4(const RowInput& row) {
    using L = layout::NVFP4;
    ForBlocksOf<L>(row, [](const float* x, std::byte* out) {
        for (std::size_t s = 0; s < 4; ++s) {
            const std::uint8_t scale = f32ToUe4m3(LargestMagnitude(x + 16 * s, 16) / 6.0f);
            store(out + L::scales + s, scale);
            std::uint8_t codes[16];
            StoreBytes<16>(x + 16 * s, NearestFp4{ue4m3HalfToF32(scale)}, codes);
            for (std::size_t j = 0; j < 8; ++j)
                store(out + L::codes + 8 * s + j, static_cast<std::uint8_t>(codes[j] | codes[j + 8] << 4));
        }
    });
}

RowEncoder DirectForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::F16: return EncodeF16;
    case Dtype::BF16: return EncodeBf16;
    case Dtype::Q8_0: return EncodeQ8_0;
    case Dtype::Q4_0: return EncodeQ4_0;
    case Dtype::Q4_1: return EncodeQ4_1;
    case Dtype::Q5_0: return EncodeQ5_0;
    case Dtype::Q5_1: return EncodeQ5_1;
    case Dtype::Q1_0: return EncodeQ1_0;
    case Dtype::Q2_0: return EncodeQ2_0;
    case Dtype::TQ1_0: return EncodeTq1_0;
    case Dtype::TQ2_0: return EncodeTq2_0;
    case Dtype::MXFP4: return EncodeMxfp4;
    case Dtype::NVFP4: return EncodeNvfp4;
    default: return nullptr;
    }
}

#endif

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(DirectForms);

RowEncoder directEncoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(DirectForms)(dtype); }

} // namespace wb::quant
#endif

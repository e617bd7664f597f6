// SPDX-License-Identifier: MIT
#include "core/tensor/fast_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/tables.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/decode_blocks_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "core/tensor/codes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace wb::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
RowDecoder blockForms(Dtype) { return nullptr; }
#else

using namespace layout;

void q4_0(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbles<16, 8>(block + Q4_0::codes, codes.at);
    const float d = half(block + Q4_0::d);
    scaleCodes<32, 32>(codes.at, &d, out);
}

void q4_1(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbles<16>(block + Q4_1::codes, codes.at);
    const float d = half(block + Q4_1::d);
    const float m = half(block + Q4_1::m);
    scaleAndMove<32, 32>(codes.at, &d, &m, out);
}

void q5_0(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbles<16>(block + Q5_0::codes, codes.at);
    addByBit<32, 0, -16, 16>(raw(block + Q5_0::high), codes.at);
    const float d = half(block + Q5_0::d);
    scaleCodes<32, 32>(codes.at, &d, out);
}

void q5_1(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbles<16>(block + Q5_1::codes, codes.at);
    addByBit<32, 16, 0, 16>(raw(block + Q5_1::high), codes.at);
    const float d = half(block + Q5_1::d);
    const float m = half(block + Q5_1::m);
    scaleAndMove<32, 32>(codes.at, &d, &m, out);
}

template <class Layout>
void q8(const std::byte* block, float* out) {
    const float d = half(block + Layout::d);
    scaleCodes<32, 32>(raw(block + Layout::codes), &d, out);
}

void q1_0(const std::byte* block, float* out) {
    std::uint8_t bits[16 + 6] = {};
    std::memcpy(bits, block + Q1_0::codes, 16);
    Codes<128> codes = {};
    addByBit<128, 1, -1>(bits, codes.at);
    const float d = half(block + Q1_0::d);
    scaleCodes<128, 128>(codes.at, &d, out);
}

void q2_0(const std::byte* block, float* out) {
    // A byte's four codes are spread to the four bytes of a 32-bit lane.
    const hn::CappedTag<std::uint32_t, 16> d32;
    const hn::Rebind<std::uint8_t, decltype(d32)> d8;
    const hn::Repartition<std::uint8_t, decltype(d32)> codeTag;
    Codes<64> codes;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d32)) {
        const auto packed = hn::PromoteTo(d32, hn::LoadU(d8, raw(block + Q2_0::codes) + i));
        const auto lower = hn::Or(packed, hn::ShiftLeft<6>(packed));
        const auto spread = hn::And(hn::Or(lower, hn::ShiftLeft<12>(lower)), hn::Set(d32, 0x03030303u));
        hn::StoreU(hn::Sub(hn::BitCast(codeTag, spread), hn::Set(codeTag, std::uint8_t{1})), codeTag, codes.at + 4 * i);
    }
    const float d = half(block + Q2_0::d);
    scaleCodes<64, 64>(codes.at, &d, out);
}

void q2_K(const std::byte* block, float* out) {
    Codes<256> codes;
    twoBits(block + Q2_K::codes, codes.at);
    Codes<32> packed; // sixteen scales, sixteen minimums
    nibbles<16>(block + Q2_K::scales, packed.at);
    const float factors[2] = {half(block + Q2_K::d), -half(block + Q2_K::dmin)};
    float scales[32];
    scaleCodes<16, 32>(packed.at, factors, scales);
    scaleAndMove<16, 256>(codes.at, scales, scales + 16, out);
}

void q3_K(const std::byte* block, float* out) {
    Codes<256> codes;
    twoBits(block + Q3_K::codes, codes.at);
    addByPlane<0, -4>(block + Q3_K::high, codes.at);
    const auto packed = std::bit_cast<std::array<std::uint8_t, 16>>(unpackScalesQ3(block + Q3_K::scales));
    const float d = half(block + Q3_K::d);
    float scales[16];
    scaleCodes<16, 16>(packed.data(), &d, scales);
    scaleCodes<16, 256>(codes.at, scales, out);
}

// Scales and minimums of Q4_K and Q5_K, which both start with d and dmin, and the last step.
template <class Layout>
HWY_INLINE void scaleSixBits(const std::byte* block, const Codes<256>& codes, float* out) {
    const auto packed = std::bit_cast<std::array<std::uint8_t, 16>>(unpackScales6(block + Layout::scales));
    const float factors[2] = {half(block + Layout::d), -half(block + Layout::dmin)};
    float scales[16];
    scaleCodes<8, 16>(packed.data(), factors, scales);
    scaleAndMove<32, 256>(codes.at, scales, scales + 8, out);
}

void q4_K(const std::byte* block, float* out) {
    Codes<256> codes;
    for (std::size_t g = 0; g < 4; ++g) nibbles<32>(block + Q4_K::codes + 32 * g, codes.at + 64 * g);
    scaleSixBits<Q4_K>(block, codes, out);
}

void q5_K(const std::byte* block, float* out) {
    Codes<256> codes;
    for (std::size_t g = 0; g < 4; ++g) nibbles<32>(block + Q5_K::codes + 32 * g, codes.at + 64 * g);
    addByPlane<16, 0>(block + Q5_K::high, codes.at);
    scaleSixBits<Q5_K>(block, codes, out);
}

void q6_K(const std::byte* block, float* out) {
    Codes<256> codes, high;
    for (std::size_t c = 0; c < 2; ++c) nibbles<64, 32>(block + Q6_K::low + 64 * c, codes.at + 128 * c);
    twoBits(block + Q6_K::high, high.at);
    const ByteTag<32> d8;
    for (std::size_t i = 0; i < 256; i += hn::Lanes(d8)) {
        const auto upper = hn::ShiftLeft<4>(hn::Load(d8, high.at + i));
        hn::Store(hn::Add(hn::Load(d8, codes.at + i), upper), d8, codes.at + i);
    }
    const float d = half(block + Q6_K::d);
    float scales[16];
    scaleCodes<16, 16>(raw(block + Q6_K::scales), &d, scales);
    scaleCodes<16, 256>(codes.at, scales, out);
}

void q8_K(const std::byte* block, float* out) {
    const auto d = load<float>(block + Q8_K::d);
    scaleCodes<256, 256>(raw(block + Q8_K::codes), &d, out);
}

bool finiteQ8K(const std::byte* block) { return (load<std::uint32_t>(block + Q8_K::d) & 0x7F800000u) != 0x7F800000u; }

// The trits of `width` bytes, `width` elements apart. Multiplying by 3 modulo 256 brings the next trit to the front; a trit is the
// number of thirds of 256 that the byte has passed.
template <std::size_t width, std::size_t trits>
HWY_INLINE void unpackTrits(const std::byte* packed, std::uint8_t* codes) {
    const ByteTag<width> d;
    const auto one = hn::Set(d, std::uint8_t{1});
    for (std::size_t m = 0; m < width; m += hn::Lanes(d)) {
        auto bytes = hn::LoadU(d, raw(packed) + m);
        for (std::size_t n = 0; n < trits; ++n) {
            const auto first = hn::Min(hn::SaturatedSub(bytes, hn::Set(d, std::uint8_t{85})), one);
            const auto second = hn::Min(hn::SaturatedSub(bytes, hn::Set(d, std::uint8_t{170})), one);
            hn::StoreU(hn::Sub(hn::Add(first, second), one), d, codes + width * n + m);
            bytes = hn::Add(bytes, hn::Add(bytes, bytes));
        }
    }
}

void tq1_0(const std::byte* block, float* out) {
    Codes<256> codes;
    unpackTrits<32, 5>(block + TQ1_0::five, codes.at);
    unpackTrits<16, 5>(block + TQ1_0::five + 32, codes.at + 160);
    unpackTrits<4, 4>(block + TQ1_0::four, codes.at + 240);
    const float d = half(block + TQ1_0::d);
    scaleCodes<256, 256>(codes.at, &d, out);
}

void tq2_0(const std::byte* block, float* out) {
    Codes<256> codes;
    twoBits<1>(block + TQ2_0::codes, codes.at);
    const float d = half(block + TQ2_0::d);
    scaleCodes<256, 256>(codes.at, &d, out);
}

void mxfp4(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbleLevels<16>(block + MXFP4::codes, tables::values_fp4, codes.at);
    const float scale = e8m0HalfToF32(load<std::uint8_t>(block + MXFP4::scale));
    scaleCodes<32, 32>(codes.at, &scale, out);
}

void nvfp4(const std::byte* block, float* out) {
    Codes<64> codes;
    float scales[4];
    for (std::size_t s = 0; s < 4; ++s) {
        nibbleLevels<8>(block + NVFP4::codes + 8 * s, tables::values_fp4, codes.at + 16 * s);
        scales[s] = ue4m3HalfToF32(load<std::uint8_t>(block + NVFP4::scales + s));
    }
    scaleCodes<16, 64>(codes.at, scales, out);
}

void iq4_nl(const std::byte* block, float* out) {
    Codes<32> codes;
    nibbleLevels<16>(block + IQ4_NL::codes, tables::values_iq4, codes.at);
    const float d = half(block + IQ4_NL::d);
    scaleCodes<32, 32>(codes.at, &d, out);
}

void iq4_xs(const std::byte* block, float* out) {
    Codes<256> codes;
    for (std::size_t b = 0; b < 8; ++b) nibbleLevels<16>(block + IQ4_XS::codes + 16 * b, tables::values_iq4, codes.at + 32 * b);
    const auto packed = std::bit_cast<std::array<std::uint8_t, 8>>(unpackScalesIq4(block));
    const float d = half(block + IQ4_XS::d);
    float scales[8];
    scaleCodes<8, 8>(packed.data(), &d, scales);
    scaleCodes<32, 256>(codes.at, scales, out);
}

RowDecoder blockForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q4_0: return finiteBlocks<Dtype::Q4_0, Q4_0, q4_0, finiteHalves<Q4_0::d>>;
    case Dtype::Q4_1: return finiteBlocks<Dtype::Q4_1, Q4_1, q4_1, finiteHalves<Q4_1::d, Q4_1::m>>;
    case Dtype::Q5_0: return finiteBlocks<Dtype::Q5_0, Q5_0, q5_0, finiteHalves<Q5_0::d>>;
    case Dtype::Q5_1: return finiteBlocks<Dtype::Q5_1, Q5_1, q5_1, finiteHalves<Q5_1::d, Q5_1::m>>;
    case Dtype::Q8_0: return finiteBlocks<Dtype::Q8_0, Q8_0, q8<Q8_0>, finiteHalves<Q8_0::d>>;
    case Dtype::Q8_1: return finiteBlocks<Dtype::Q8_1, Q8_1, q8<Q8_1>, finiteHalves<Q8_1::d>>;
    case Dtype::Q1_0: return finiteBlocks<Dtype::Q1_0, Q1_0, q1_0, finiteHalves<Q1_0::d>>;
    case Dtype::Q2_0: return finiteBlocks<Dtype::Q2_0, Q2_0, q2_0, finiteHalves<Q2_0::d>>;
    case Dtype::Q2_K: return finiteBlocks<Dtype::Q2_K, Q2_K, q2_K, finiteHalves<Q2_K::d, Q2_K::dmin>>;
    case Dtype::Q3_K: return finiteBlocks<Dtype::Q3_K, Q3_K, q3_K, finiteHalves<Q3_K::d>>;
    case Dtype::Q4_K: return finiteBlocks<Dtype::Q4_K, Q4_K, q4_K, finiteHalves<Q4_K::d, Q4_K::dmin>>;
    case Dtype::Q5_K: return finiteBlocks<Dtype::Q5_K, Q5_K, q5_K, finiteHalves<Q5_K::d, Q5_K::dmin>>;
    case Dtype::Q6_K: return finiteBlocks<Dtype::Q6_K, Q6_K, q6_K, finiteHalves<Q6_K::d>>;
    case Dtype::Q8_K: return finiteBlocks<Dtype::Q8_K, Q8_K, q8_K, finiteQ8K>;
    case Dtype::TQ1_0: return finiteBlocks<Dtype::TQ1_0, TQ1_0, tq1_0, finiteHalves<TQ1_0::d>>;
    case Dtype::TQ2_0: return finiteBlocks<Dtype::TQ2_0, TQ2_0, tq2_0, finiteHalves<TQ2_0::d>>;
    case Dtype::MXFP4: return finiteBlocks<Dtype::MXFP4, MXFP4, mxfp4, finiteHalves<>>;
    case Dtype::NVFP4: return finiteBlocks<Dtype::NVFP4, NVFP4, nvfp4, finiteHalves<>>;
    case Dtype::IQ4_NL: return finiteBlocks<Dtype::IQ4_NL, IQ4_NL, iq4_nl, finiteHalves<IQ4_NL::d>>;
    case Dtype::IQ4_XS: return finiteBlocks<Dtype::IQ4_XS, IQ4_XS, iq4_xs, finiteHalves<IQ4_XS::d>>;
    default: return nullptr;
    }
}

#endif

} // namespace wb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::fast {

HWY_EXPORT(blockForms);

RowDecoder blockDecoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(blockForms)(dtype); }

} // namespace wb::fast
#endif

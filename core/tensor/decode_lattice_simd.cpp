// SPDX-License-Identifier: MIT
#include "core/tensor/fast_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/grids.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/decode_lattice_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "core/tensor/codes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace wb::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
RowDecoder latticeForms(Dtype) { return nullptr; }
#else

using namespace layout;

// A split super-block: grid bytes in element order, one bit an element (in most types its sign), and the odd integer
// 2s + 1 of each run's scale code s, by which the reference multiplies d up to a power of two.
struct Parts {
    alignas(64) std::uint8_t codes[256];
    std::uint8_t bits[32 + 6];
    std::uint8_t scales[16];

    template <class Point>
    HWY_INLINE void setPoint(std::size_t g, Point point) {
        std::memcpy(codes + g * sizeof(Point), &point, sizeof(Point));
    }
    HWY_INLINE void setScale(std::size_t run, unsigned code) { scales[run] = static_cast<std::uint8_t>(2 * code + 1); }
    // 4-bit scales, the low nibble of a byte first.
    template <std::size_t runs>
    HWY_INLINE void setScaleNibbles(const std::byte* packed) {
        for (std::size_t run = 0; run < runs; ++run) setScale(run, loadU8(packed + run / 2) >> (4 * (run % 2)) & 15);
    }
};

// Turns the codes whose bit is set negative.
HWY_INLINE void applySigns(Parts& parts) {
    const ByteTag<32> d;
    for (std::size_t i = 0; i < 256; i += hn::Lanes(d)) {
        const auto negative = hn::LoadMaskBits(d, parts.bits + i / 8);
        const auto codes = hn::Load(d, parts.codes + i);
        hn::Store(hn::IfThenElse(negative, hn::Sub(hn::Zero(d), codes), codes), d, parts.codes + i);
    }
}

// The last step, for runs of `run` elements. d * (2s + 1) times the grid's power of two is one rounding, wherever the power goes:
// nothing here is near the ends of the f32 range.
template <std::size_t run>
HWY_INLINE void scaleParts(const Parts& parts, float d, float* out) {
    constexpr std::size_t runs = 256 / run;
    float scales[runs];
    scaleCodes<runs, runs>(parts.scales, &d, scales);
    scaleCodes<run, 256>(parts.codes, scales, out);
}

// Points and signs of 32 elements from four indices and a tail of four 7-bit sign codes; the tail's top nibble is the scale.
HWY_INLINE void signsAndScale(Parts& parts, std::size_t block, std::uint32_t tail) {
    for (std::size_t l = 0; l < 4; ++l) parts.bits[4 * block + l] = tables::signs_7bit[tail >> (7 * l) & 127];
    parts.setScale(block, tail >> 28);
}

void iq2_xxs(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t b = 0; b < 8; ++b) {
        const std::byte* group = block + IQ2_XXS::groups + 8 * b;
        for (std::size_t l = 0; l < 4; ++l) parts.setPoint(4 * b + l, grids::iq2Xxs[loadU8(group + l)]);
        signsAndScale(parts, b, load<std::uint32_t>(group + 4));
    }
    applySigns(parts);
    scaleParts<32>(parts, half(block + IQ2_XXS::d) * 0.125F, out);
}

void iq2_xs(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t g = 0; g < 32; ++g) {
        const unsigned group = loadU16(block + IQ2_XS::groups + 2 * g);
        parts.setPoint(g, grids::iq2Xs[group & 511]);
        parts.bits[g] = tables::signs_7bit[group >> 9];
    }
    parts.setScaleNibbles<16>(block + IQ2_XS::scales);
    applySigns(parts);
    scaleParts<16>(parts, half(block + IQ2_XS::d) * 0.125F, out);
}

void iq2_s(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t g = 0; g < 32; ++g) {
        const unsigned high = loadU8(block + IQ2_S::indexHigh + g / 4) >> (2 * (g % 4)) & 3;
        parts.setPoint(g, grids::iq2S[loadU8(block + IQ2_S::index + g) | high << 8]);
    }
    std::memcpy(parts.bits, block + IQ2_S::signs, 32);
    parts.setScaleNibbles<16>(block + IQ2_S::scales);
    applySigns(parts);
    scaleParts<16>(parts, half(block + IQ2_S::d) * 0.125F, out);
}

void iq3_xxs(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t g = 0; g < 64; ++g) parts.setPoint(g, grids::iq3Xxs[loadU8(block + IQ3_XXS::index + g)]);
    for (std::size_t b = 0; b < 8; ++b) signsAndScale(parts, b, load<std::uint32_t>(block + IQ3_XXS::tails + 4 * b));
    applySigns(parts);
    scaleParts<32>(parts, half(block + IQ3_XXS::d) * 0.25F, out);
}

void iq3_s(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t g = 0; g < 64; ++g) {
        const unsigned high = loadU8(block + IQ3_S::indexHigh + g / 8) >> g % 8 & 1;
        parts.setPoint(g, grids::iq3S[loadU8(block + IQ3_S::index + g) | high << 8]);
    }
    std::memcpy(parts.bits, block + IQ3_S::signs, 32);
    parts.setScaleNibbles<8>(block + IQ3_S::scales);
    applySigns(parts);
    scaleParts<32>(parts, half(block + IQ3_S::d), out);
}

// IQ1: the codes are eighths, eight times the trit and the shift of one eighth up or, where the bit is set, down.
constexpr std::array<std::int8_t, 3> eighthLevels = {-8, 0, 8};
constexpr auto gridEighths = grids::expand<std::uint64_t, 2>(tables::grid_iq1, eighthLevels);

template <std::size_t run>
HWY_INLINE void scaleEighths(Parts& parts, float d, float* out) {
    addByBit<256, -1, 1>(parts.bits, parts.codes);
    scaleParts<run>(parts, d * 0.125F, out);
}

void iq1_s(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t b = 0; b < 8; ++b) {
        const unsigned tail = loadU16(block + IQ1_S::tails + 2 * b);
        for (std::size_t g = 4 * b; g < 4 * b + 4; ++g) {
            const unsigned high = tail >> (3 * (g % 4)) & 7;
            parts.setPoint(g, gridEighths[loadU8(block + IQ1_S::index + g) | high << 8]);
            parts.bits[g] = (tail >> 15) != 0 ? 0xFF : 0;
        }
        parts.setScale(b, tail >> 12 & 7);
    }
    scaleEighths<32>(parts, half(block + IQ1_S::d), out);
}

void iq1_m(const std::byte* block, float* out) {
    Parts parts;
    for (std::size_t sub = 0; sub < 16; ++sub) {
        const unsigned packed = loadU8(block + IQ1_M::indexHigh + sub);
        for (std::size_t g = 2 * sub; g < 2 * sub + 2; ++g) {
            const unsigned high = packed >> (4 * (g % 2));
            parts.setPoint(g, gridEighths[loadU8(block + IQ1_M::index + g) | (high & 7) << 8]);
            parts.bits[g] = (high & 8) != 0 ? 0xFF : 0;
        }
        parts.setScale(sub, loadU16(block + IQ1_M::scales + 2 * (sub / 4)) >> (3 * (sub % 4)) & 7);
    }
    scaleEighths<16>(parts, half(gatherScaleIq1M(block)), out);
}

bool finiteIq1M(const std::byte* block) { return (gatherScaleIq1M(block) & 0x7C00u) != 0x7C00u; }

RowDecoder latticeForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ2_XXS: return finiteBlocks<Dtype::IQ2_XXS, IQ2_XXS, iq2_xxs, finiteHalves<IQ2_XXS::d>>;
    case Dtype::IQ2_XS: return finiteBlocks<Dtype::IQ2_XS, IQ2_XS, iq2_xs, finiteHalves<IQ2_XS::d>>;
    case Dtype::IQ2_S: return finiteBlocks<Dtype::IQ2_S, IQ2_S, iq2_s, finiteHalves<IQ2_S::d>>;
    case Dtype::IQ3_XXS: return finiteBlocks<Dtype::IQ3_XXS, IQ3_XXS, iq3_xxs, finiteHalves<IQ3_XXS::d>>;
    case Dtype::IQ3_S: return finiteBlocks<Dtype::IQ3_S, IQ3_S, iq3_s, finiteHalves<IQ3_S::d>>;
    case Dtype::IQ1_S: return finiteBlocks<Dtype::IQ1_S, IQ1_S, iq1_s, finiteHalves<IQ1_S::d>>;
    case Dtype::IQ1_M: return finiteBlocks<Dtype::IQ1_M, IQ1_M, iq1_m, finiteIq1M>;
    default: return nullptr;
    }
}

#endif

} // namespace wb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::fast {

HWY_EXPORT(latticeForms);

RowDecoder latticeDecoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(latticeForms)(dtype); }

} // namespace wb::fast
#endif

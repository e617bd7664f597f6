// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/lattice.h"
#include "core/tensor/block_layout.h"

#include <algorithm>

namespace wb::quant::scalar {
namespace {

constexpr LatticeType iq2Xxs{gridIq2Xxs, 32, 3, 1, 0, true, 1e-15f, 6, 0.1f, true, false, true, false, 1.0f};
constexpr LatticeType iq2Xs{gridIq2Xs, 16, 3, 1, 0, true, 1e-15f, 9, 0.1f, false, true, false, true, 1.0f};
constexpr LatticeType iq2S{gridIq2S, 16, 3, 2, 0.25f, false, 1e-8f, 9, 0.1f, false, true, false, true, 0.9875f};
constexpr LatticeType iq3Xxs{gridIq3Xxs, 32, 8, 2, 0, true, 1e-8f, 15, 0.2f, false, true, false, true, 1.0125f};
constexpr LatticeType iq3S{gridIq3S, 32, 8, 2, 0, false, 0, 9, 0.2f, false, false, true, true, 1.033f};

void begin(const LatticeFit& fit, std::size_t bytes, std::byte* out) {
    std::fill_n(out, bytes, std::byte{0});
    store(out, fit.d); // every lattice type starts with its f16 scale
}

void orInto(std::byte* at, unsigned bits) { *at |= static_cast<std::byte>(bits); }

void storeScaleNibbles(std::byte* out, const LatticeFit& fit, std::size_t subBlocks) {
    for (std::size_t b = 0; b < subBlocks; ++b) orInto(out + b / 2, static_cast<unsigned>(fit.scales[b]) << (4 * (b % 2)));
}

// Four 7-bit sign codes and the scale of 32 elements.
std::uint32_t tail(const LatticeFit& fit, std::size_t b) {
    std::uint32_t bits = static_cast<std::uint32_t>(fit.scales[b]) << 28;
    for (std::size_t k = 0; k < 4; ++k) bits |= static_cast<std::uint32_t>(fit.signs[4 * b + k]) << (7 * k);
    return bits;
}

void storeIq2Xxs(const LatticeFit& fit, std::byte* out) {
    begin(fit, layout::IQ2_XXS::bytes, out);
    if (fit.empty) return;
    for (std::size_t b = 0; b < 8; ++b) {
        std::byte* const group = out + layout::IQ2_XXS::groups + 8 * b;
        for (std::size_t k = 0; k < 4; ++k) store(group + k, static_cast<std::uint8_t>(fit.points[4 * b + k]));
        store(group + 4, tail(fit, b));
    }
}

void storeIq2Xs(const LatticeFit& fit, std::byte* out) {
    begin(fit, layout::IQ2_XS::bytes, out);
    if (fit.empty) return;
    for (std::size_t k = 0; k < 32; ++k)
        store(out + layout::IQ2_XS::groups + 2 * k, static_cast<std::uint16_t>(fit.points[k] | fit.signs[k] << 9));
    storeScaleNibbles(out + layout::IQ2_XS::scales, fit, 16);
}

void storeIq2S(const LatticeFit& fit, std::byte* out) {
    begin(fit, layout::IQ2_S::bytes, out);
    for (std::size_t k = 0; k < 32; ++k) {
        store(out + layout::IQ2_S::index + k, static_cast<std::uint8_t>(fit.points[k] & 255));
        orInto(out + layout::IQ2_S::indexHigh + k / 4, static_cast<unsigned>(fit.points[k] >> 8) << (2 * (k % 4)));
        store(out + layout::IQ2_S::signs + k, fit.signs[k]);
    }
    storeScaleNibbles(out + layout::IQ2_S::scales, fit, 16);
}

void storeIq3Xxs(const LatticeFit& fit, std::byte* out) {
    begin(fit, layout::IQ3_XXS::bytes, out);
    if (fit.empty) return;
    for (std::size_t k = 0; k < 64; ++k) store(out + layout::IQ3_XXS::index + k, static_cast<std::uint8_t>(fit.points[k]));
    for (std::size_t b = 0; b < 8; ++b) store(out + layout::IQ3_XXS::tails + 4 * b, tail(fit, b));
}

void storeIq3S(const LatticeFit& fit, std::byte* out) {
    begin(fit, layout::IQ3_S::bytes, out);
    // The reference writes index and sign bytes one after another and does not advance for a skipped sub-block, while the ninth
    // index bits and the scales stay at their true places. The files in the world are like that, so ours are.
    std::size_t slot = 0;
    for (std::size_t b = 0; b < 8; ++b) {
        if (fit.skipped[b]) continue;
        for (std::size_t k = 0; k < 8; ++k) {
            const unsigned point = fit.points[8 * b + k];
            store(out + layout::IQ3_S::index + 8 * slot + k, static_cast<std::uint8_t>(point & 255));
            orInto(out + layout::IQ3_S::indexHigh + b, point >> 8 << k);
        }
        for (std::size_t k = 0; k < 4; ++k) store(out + layout::IQ3_S::signs + 4 * slot + k, fit.signs[4 * b + k]);
        ++slot;
    }
    storeScaleNibbles(out + layout::IQ3_S::scales, fit, 8);
}

constexpr std::array forms{
    LatticeForm{Dtype::IQ2_XXS, iq2Xxs, storeIq2Xxs, layout::IQ2_XXS::bytes},
    LatticeForm{Dtype::IQ2_XS, iq2Xs, storeIq2Xs, layout::IQ2_XS::bytes},
    LatticeForm{Dtype::IQ2_S, iq2S, storeIq2S, layout::IQ2_S::bytes},
    LatticeForm{Dtype::IQ3_XXS, iq3Xxs, storeIq3Xxs, layout::IQ3_XXS::bytes},
    LatticeForm{Dtype::IQ3_S, iq3S, storeIq3S, layout::IQ3_S::bytes},
};

} // namespace

std::span<const LatticeForm, 5> latticeForms() { return forms; }

void encodeIq2Xxs(const Block& block) { storeIq2Xxs(fitLattice(iq2Xxs, block), block.out); }
void encodeIq2Xs(const Block& block) { storeIq2Xs(fitLattice(iq2Xs, block), block.out); }
void encodeIq2S(const Block& block) { storeIq2S(fitLattice(iq2S, block), block.out); }
void encodeIq3Xxs(const Block& block) { storeIq3Xxs(fitLattice(iq3Xxs, block), block.out); }
void encodeIq3S(const Block& block) { storeIq3S(fitLattice(iq3S, block), block.out); }

} // namespace wb::quant::scalar

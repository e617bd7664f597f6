// SPDX-License-Identifier: MIT
#include "core/quant/kernels/iq1.h"

#include "core/quant/kernels/grid.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>

namespace wb::quant::iq1 {
namespace {

const Levels& levelsFromShifts(unsigned shifts, std::size_t half) { return (shifts >> (1 - half) & 1) != 0 ? shiftDown : shiftUp; }

// The super-scale that fits the stored codes best.
float refitSuperScale(std::span<const float> x, std::span<const float> weights, const std::array<SubBlockM, 16>& subs,
                      const std::array<int, 16>& codes, float d) {
    float qx = 0;
    float q2 = 0;
    for (std::size_t j = 0; j < 16; ++j) {
        const auto factor = static_cast<float>(2 * codes[j] + 1);
        for (std::size_t i = 0; i < 16; ++i) {
            const float q = levelsFromShifts(subs[j].shifts, i / 8)[gridIq1().digit(subs[j].points[i / 8], i % 8)] * factor;
            qx += weights[16 * j + i] * q * x[16 * j + i];
            q2 += weights[16 * j + i] * q * q;
        }
    }
    return q2 > 0 ? qx / q2 : d;
}

void storePointsM(std::byte* out, const std::array<SubBlockM, 16>& subs, bool withShifts) {
    for (std::size_t j = 0; j < 16; ++j) {
        for (std::size_t h = 0; h < 2; ++h)
            store(out + layout::IQ1_M::index + 2 * j + h, static_cast<std::uint8_t>(subs[j].points[h] & 255));
        unsigned high = static_cast<unsigned>(subs[j].points[0] >> 8) | static_cast<unsigned>(subs[j].points[1] >> 8) << 4;
        if (withShifts) high |= (subs[j].shifts >> 1 & 1) << 3 | (subs[j].shifts & 1) << 7;
        store(out + layout::IQ1_M::indexHigh + j, static_cast<std::uint8_t>(high));
    }
}

} // namespace

void storeS(const std::array<SubBlockS, 8>& subs, std::byte* out) {
    float highest = 0;
    for (const SubBlockS& sub : subs) highest = std::max(highest, sub.scale);
    const float d = highest / 15;
    const float inverse = highest > 0 ? 1 / d : 0.0f;
    store(out + layout::IQ1_S::d, f32ToF16(d * 1.125f));
    for (std::size_t b = 0; b < 8; ++b) {
        unsigned tail = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            store(out + layout::IQ1_S::index + 4 * b + k, static_cast<std::uint8_t>(subs[b].points[k] & 255));
            tail |= static_cast<unsigned>(subs[b].points[k] >> 8) << (3 * k);
        }
        if (highest > 0) {
            const int code = clampInt(nearestInt(0.5f * (inverse * subs[b].scale - 1)), 0, 7);
            tail |= (static_cast<unsigned>(code) | (subs[b].down ? 8u : 0u)) << 12;
        }
        store(out + layout::IQ1_S::tails + 2 * b, static_cast<std::uint16_t>(tail));
    }
}

void storeM(const std::array<SubBlockM, 16>& subs, std::span<const float> x, std::span<const float> weights, std::byte* out) {
    float highest = 0;
    for (const SubBlockM& sub : subs) highest = std::max(highest, sub.scale);
    storePointsM(out, subs, highest > 0);
    std::array<std::uint16_t, 4> words{};
    if (highest > 0) {
        const float d = highest / 15;
        const float inverse = 1 / d;
        std::array<int, 16> codes;
        for (std::size_t j = 0; j < 16; ++j) {
            codes[j] = clampInt(nearestInt(0.5f * (inverse * subs[j].scale - 1)), 0, 7);
            words[j / 4] = static_cast<std::uint16_t>(words[j / 4] | codes[j] << (3 * (j % 4)));
        }
        const std::uint16_t half = f32ToF16(refitSuperScale(x, weights, subs, codes, d) * 1.1125f);
        for (std::size_t k = 0; k < 4; ++k) words[k] = static_cast<std::uint16_t>(words[k] | (half >> (4 * k) & 15) << 12);
    }
    for (std::size_t k = 0; k < 4; ++k) store(out + layout::IQ1_M::scales + 2 * k, words[k]);
}

} // namespace wb::quant::iq1

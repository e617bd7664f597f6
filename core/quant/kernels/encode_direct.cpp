// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::quant::scalar {
namespace {

float largestMagnitude(std::span<const float> x) {
    float largest = 0;
    for (const float value : x) largest = std::max(largest, std::fabs(value));
    return largest;
}

float inverseOrZero(float d) { return d != 0 ? 1.0f / d : 0.0f; }

} // namespace

void encodeF32(const Block& block) { store(block.out, block.x[0]); }
void encodeF16(const Block& block) { store(block.out, f32ToF16(block.x[0])); }
void encodeBf16(const Block& block) { store(block.out, f32ToBf16(block.x[0])); }

void encodeQ8_0(const Block& block) {
    const float d = largestMagnitude(block.x) / 127;
    const float inverse = inverseOrZero(d);
    store(block.out + layout::Q8_0::d, f32ToF16(d));
    for (std::size_t i = 0; i < block.x.size(); ++i)
        store(block.out + layout::Q8_0::codes + i, static_cast<std::int8_t>(roundAway(block.x[i] * inverse)));
}

void encodeQ1_0(const Block& block) {
    float sum = 0;
    for (const float x : block.x) sum += std::fabs(x);
    store(block.out + layout::Q1_0::d, f32ToF16(sum / 128));
    for (std::size_t byte = 0; byte < 16; ++byte) {
        unsigned bits = 0;
        for (unsigned bit = 0; bit < 8; ++bit) bits |= (block.x[8 * byte + bit] >= 0 ? 1u : 0u) << bit;
        store(block.out + layout::Q1_0::codes + byte, static_cast<std::uint8_t>(bits));
    }
}

void encodeQ2_0(const Block& block) {
    const float d = largestMagnitude(block.x);
    const float inverse = d > 0 ? 1.0f / d : 0.0f;
    store(block.out + layout::Q2_0::d, f32ToF16(d));
    for (std::size_t byte = 0; byte < 16; ++byte) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 4; ++k)
            bits |= static_cast<unsigned>(clampInt(roundAwayOr(block.x[4 * byte + k] * inverse, -2) + 1, 0, 3)) << (2 * k);
        store(block.out + layout::Q2_0::codes + byte, static_cast<std::uint8_t>(bits));
    }
}

void encodeTq2_0(const Block& block) {
    const float d = largestMagnitude(block.x);
    const float inverse = inverseOrZero(d);
    store(block.out + layout::TQ2_0::d, f32ToF16(d));
    for (std::size_t byte = 0; byte < 64; ++byte) {
        unsigned bits = 0;
        for (unsigned n = 0; n < 4; ++n) {
            const float x = block.x[128 * (byte / 32) + 32 * n + byte % 32];
            bits |= static_cast<unsigned>((roundAway(x * inverse) + 1) & 3) << (2 * n);
        }
        store(block.out + layout::TQ2_0::codes + byte, static_cast<std::uint8_t>(bits));
    }
}

void encodeTq1_0(const Block& block) {
    const float d = largestMagnitude(block.x);
    const float inverse = inverseOrZero(d);
    store(block.out + layout::TQ1_0::d, f32ToF16(d));
    const auto pack = [&](std::size_t byte, std::size_t first, std::size_t stride, unsigned trits) {
        unsigned q = 0;
        for (unsigned n = 0; n < trits; ++n)
            q = 3 * q + static_cast<unsigned>(roundAway(block.x[first + n * stride] * inverse) + 1);
        if (trits == 4) q *= 3;
        // Rounded up, so that multiplying by powers of 3 brings every trit back into the ninth bit.
        store(block.out + byte, static_cast<std::uint8_t>((256 * q + 242) / 243));
    };
    for (std::size_t m = 0; m < 32; ++m) pack(m, m, 32, 5);
    for (std::size_t m = 0; m < 16; ++m) pack(32 + m, 160 + m, 16, 5);
    for (std::size_t m = 0; m < 4; ++m) pack(48 + m, 240 + m, 4, 4);
}

} // namespace wb::quant::scalar

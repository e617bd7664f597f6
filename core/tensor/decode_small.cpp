// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/bytes.h"
#include "core/tensor/half.h"
#include "core/tensor/small_integers.h"

namespace wb::scalar {
namespace {

template <float (*convert)(std::uint8_t)>
void bytes(const std::byte* in, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = convert(load<std::uint8_t>(in + i));
}

// Four 6-bit codes in three bytes, low bits first.
template <float (*convert)(std::uint8_t)>
void sixBits(const std::byte* in, float* out, std::size_t groups) {
    for (std::size_t g = 0; g < groups; ++g, in += 3, out += 4) {
        const unsigned bits = loadU8(in) | loadU8(in + 1) << 8 | loadU8(in + 2) << 16;
        for (unsigned i = 0; i < 4; ++i) out[i] = convert(bits >> (6 * i) & 63);
    }
}

// Two codes a byte, the low nibble first.
void fourBits(const std::byte* in, float* out, std::size_t pairs) {
    for (std::size_t p = 0; p < pairs; ++p) {
        const unsigned byte = loadU8(in + p);
        out[2 * p] = f4ToF32(byte & 15);
        out[2 * p + 1] = f4ToF32(static_cast<std::uint8_t>(byte >> 4));
    }
}

} // namespace

RowDecoder smallDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::F8_E4M3: return bytes<f8E4m3ToF32>;
    case Dtype::F8_E5M2: return bytes<f8E5m2ToF32>;
    case Dtype::F8_E4M3FNUZ: return bytes<f8E4m3FnuzToF32>;
    case Dtype::F8_E5M2FNUZ: return bytes<f8E5m2FnuzToF32>;
    case Dtype::F8_E8M0: return bytes<e8m0ToF32>;
    case Dtype::F6_E2M3: return sixBits<f6E2m3ToF32>;
    case Dtype::F6_E3M2: return sixBits<f6E3m2ToF32>;
    case Dtype::F4: return fourBits;
    case Dtype::I4: return bytes<i4ToF32>;
    case Dtype::U4: return bytes<u4ToF32>;
    case Dtype::I2: return bytes<i2ToF32>;
    case Dtype::U2: return bytes<u2ToF32>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

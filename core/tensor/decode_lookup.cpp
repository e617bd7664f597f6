// SPDX-License-Identifier: MIT
#include "core/tensor/fast_decoder.h"

#include "core/tensor/bytes.h"
#include "core/tensor/half.h"
#include "core/tensor/small_integers.h"

#include <array>

// Elements of at most eight bits are looked up: one load an element, as fast as any arithmetic on them.
namespace wb::fast {
namespace {

template <std::size_t codes, float (*convert)(std::uint8_t)>
constexpr std::array<float, codes> makeTable() {
    std::array<float, codes> table{};
    for (std::size_t code = 0; code < codes; ++code) table[code] = convert(static_cast<std::uint8_t>(code));
    return table;
}

template <float (*convert)(std::uint8_t)>
void bytes(const std::byte* in, float* out, std::size_t count) {
    static constexpr auto table = makeTable<256, convert>();
    for (std::size_t i = 0; i < count; ++i) out[i] = table[loadU8(in + i)];
}

template <float (*convert)(std::uint8_t)>
void sixBits(const std::byte* in, float* out, std::size_t groups) {
    static constexpr auto table = makeTable<64, convert>();
    for (std::size_t g = 0; g < groups; ++g, in += 3, out += 4) {
        const unsigned bits = loadU16(in) | loadU8(in + 2) << 16;
        for (unsigned i = 0; i < 4; ++i) out[i] = table[bits >> (6 * i) & 63];
    }
}

void fourBits(const std::byte* in, float* out, std::size_t pairs) {
    static constexpr auto table = makeTable<16, f4ToF32>();
    for (std::size_t p = 0; p < pairs; ++p, out += 2) {
        const unsigned byte = loadU8(in + p);
        out[0] = table[byte & 15];
        out[1] = table[byte >> 4];
    }
}

} // namespace

RowDecoder lookupDecoder(Dtype dtype) {
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

} // namespace wb::fast

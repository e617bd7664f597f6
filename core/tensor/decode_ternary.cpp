// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

using namespace layout;

// The trits of a byte are the digits of the fraction byte/256 in base 3, the first trit first: a multiplication by 3^n mod 256
// brings trit n to the front, and a last one by 3 lifts it out. The value is -1, 0 or 1.
int trit(unsigned byte, unsigned n) {
    constexpr unsigned powers[] = {1, 3, 9, 27, 81};
    return static_cast<int>((byte * powers[n] & 255) * 3 >> 8) - 1;
}

void tq1_0(const std::byte* block, float* out) {
    const float d = loadF16(block + TQ1_0::d);
    // Runs of bytes whose trits lie `width` elements apart.
    const auto run = [&](std::size_t first, unsigned width, unsigned trits) {
        for (unsigned n = 0; n < trits; ++n)
            for (unsigned m = 0; m < width; ++m) *out++ = static_cast<float>(trit(loadU8(block + first + m), n)) * d;
    };
    run(TQ1_0::five, 32, 5);
    run(TQ1_0::five + 32, 16, 5);
    run(TQ1_0::four, 4, 4);
}

void tq2_0(const std::byte* block, float* out) {
    const float d = loadF16(block + TQ2_0::d);
    for (unsigned i = 0; i < TQ2_0::elements; ++i) {
        const unsigned code = loadU8(block + TQ2_0::codes + 32 * (i / 128) + i % 32) >> (2 * (i / 32 % 4)) & 3;
        out[i] = static_cast<float>(static_cast<int>(code) - 1) * d;
    }
}

} // namespace

RowDecoder ternaryDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::TQ1_0: return eachBlock<TQ1_0, tq1_0>;
    case Dtype::TQ2_0: return eachBlock<TQ2_0, tq2_0>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

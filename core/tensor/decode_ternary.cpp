// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_codes.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

using namespace layout;

// As a value: -1, 0 or 1.
int trit(unsigned byte, unsigned n) { return static_cast<int>(tritAt(byte, n)) - 1; }

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
        const unsigned code = twoBitsAt(block + TQ2_0::codes, i);
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

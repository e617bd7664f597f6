// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

namespace wb::scalar {
namespace {

using namespace layout;

void levels(const std::byte* codes, float scale, float* out) {
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned code = loadU8(codes + i % 16) >> (4 * (i / 16)) & 15;
        out[i] = scale * static_cast<float>(tables::values_iq4[code]);
    }
}

void iq4_nl(const std::byte* block, float* out) { levels(block + IQ4_NL::codes, loadF16(block + IQ4_NL::d), out); }

void iq4_xs(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ4_XS::d);
    const auto scales = unpackScalesIq4(block);
    for (unsigned b = 0; b < 8; ++b) levels(block + IQ4_XS::codes + 16 * b, d * static_cast<float>(scales[b]), out + 32 * b);
}

} // namespace

RowDecoder iq4Decoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ4_NL: return eachBlock<IQ4_NL, iq4_nl>;
    case Dtype::IQ4_XS: return eachBlock<IQ4_XS, iq4_xs>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

namespace wb::scalar {
namespace {

using namespace layout;

// 2H elements whose nibbles are in H bytes.
void levels(const std::byte* codes, float scale, unsigned half, float* out) {
    for (unsigned i = 0; i < 2 * half; ++i) {
        const unsigned code = loadU8(codes + i % half) >> (4 * (i / half)) & 15;
        out[i] = static_cast<float>(tables::values_fp4[code]) * scale;
    }
}

void mxfp4(const std::byte* block, float* out) {
    levels(block + MXFP4::codes, e8m0HalfToF32(load<std::uint8_t>(block + MXFP4::scale)), 16, out);
}

void nvfp4(const std::byte* block, float* out) {
    for (unsigned s = 0; s < 4; ++s) {
        const float scale = ue4m3HalfToF32(load<std::uint8_t>(block + NVFP4::scales + s));
        levels(block + NVFP4::codes + 8 * s, scale, 8, out + 16 * s);
    }
}

} // namespace

RowDecoder fp4Decoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::MXFP4: return eachBlock<MXFP4, mxfp4>;
    case Dtype::NVFP4: return eachBlock<NVFP4, nvfp4>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

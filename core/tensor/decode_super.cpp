// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_codes.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

using namespace layout;

void q2_K(const std::byte* block, float* out) {
    const float d = loadF16(block + Q2_K::d);
    const float dmin = loadF16(block + Q2_K::dmin);
    for (unsigned i = 0; i < Q2_K::elements; ++i) {
        const unsigned packed = loadU8(block + Q2_K::scales + i / 16);
        const float scale = d * static_cast<float>(packed & 15);
        const float minimum = dmin * static_cast<float>(packed >> 4);
        out[i] = scale * static_cast<float>(twoBitsAt(block + Q2_K::codes, i)) - minimum;
    }
}

void q3_K(const std::byte* block, float* out) {
    const float d = loadF16(block + Q3_K::d);
    const auto scales = unpackScalesQ3(block + Q3_K::scales);
    for (unsigned i = 0; i < Q3_K::elements; ++i) {
        const float scale = d * static_cast<float>(scales[i / 16]);
        const int subtract = oneBitAt(block + Q3_K::high, i) != 0 ? 0 : 4;
        out[i] = scale * static_cast<float>(static_cast<int>(twoBitsAt(block + Q3_K::codes, i)) - subtract);
    }
}

void q4_K(const std::byte* block, float* out) {
    const float d = loadF16(block + Q4_K::d);
    const float dmin = loadF16(block + Q4_K::dmin);
    const Scales6 scales = unpackScales6(block + Q4_K::scales);
    for (unsigned i = 0; i < Q4_K::elements; ++i) {
        const float scale = d * static_cast<float>(scales.scale[i / 32]);
        const float minimum = dmin * static_cast<float>(scales.minimum[i / 32]);
        out[i] = scale * static_cast<float>(nibbleAt(block + Q4_K::codes, 32, i)) - minimum;
    }
}

void q5_K(const std::byte* block, float* out) {
    const float d = loadF16(block + Q5_K::d);
    const float dmin = loadF16(block + Q5_K::dmin);
    const Scales6 scales = unpackScales6(block + Q5_K::scales);
    for (unsigned i = 0; i < Q5_K::elements; ++i) {
        const float scale = d * static_cast<float>(scales.scale[i / 32]);
        const float minimum = dmin * static_cast<float>(scales.minimum[i / 32]);
        const unsigned code = nibbleAt(block + Q5_K::codes, 32, i) | oneBitAt(block + Q5_K::high, i) << 4;
        out[i] = scale * static_cast<float>(code) - minimum;
    }
}

void q6_K(const std::byte* block, float* out) {
    const float d = loadF16(block + Q6_K::d);
    for (unsigned i = 0; i < Q6_K::elements; ++i) {
        const float scale = d * static_cast<float>(loadI8(block + Q6_K::scales + i / 16));
        const unsigned low = lowSixAt(block + Q6_K::low, i);
        const unsigned code = low | twoBitsAt(block + Q6_K::high, i) << 4;
        out[i] = scale * static_cast<float>(static_cast<int>(code) - 32);
    }
}

void q8_K(const std::byte* block, float* out) {
    const auto d = load<float>(block + Q8_K::d);
    for (unsigned i = 0; i < Q8_K::elements; ++i) out[i] = d * static_cast<float>(loadI8(block + Q8_K::codes + i));
}

} // namespace

RowDecoder superDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q2_K: return eachBlock<Q2_K, q2_K>;
    case Dtype::Q3_K: return eachBlock<Q3_K, q3_K>;
    case Dtype::Q4_K: return eachBlock<Q4_K, q4_K>;
    case Dtype::Q5_K: return eachBlock<Q5_K, q5_K>;
    case Dtype::Q6_K: return eachBlock<Q6_K, q6_K>;
    case Dtype::Q8_K: return eachBlock<Q8_K, q8_K>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_codes.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

using namespace layout;

// The code of element i of 32 whose nibbles start at `codes`.
int nibble(const std::byte* codes, unsigned i) { return static_cast<int>(nibbleAt(codes, 16, i)); }

int fifth(const std::byte* high, unsigned i) { return static_cast<int>(wordBitAt(high, i)) << 4; }

void q4_0(const std::byte* block, float* out) {
    const float d = loadF16(block + Q4_0::d);
    for (unsigned i = 0; i < Q4_0::elements; ++i) out[i] = static_cast<float>(nibble(block + Q4_0::codes, i) - 8) * d;
}

void q4_1(const std::byte* block, float* out) {
    const float d = loadF16(block + Q4_1::d);
    const float m = loadF16(block + Q4_1::m);
    for (unsigned i = 0; i < Q4_1::elements; ++i) out[i] = static_cast<float>(nibble(block + Q4_1::codes, i)) * d + m;
}

void q5_0(const std::byte* block, float* out) {
    const float d = loadF16(block + Q5_0::d);
    for (unsigned i = 0; i < Q5_0::elements; ++i) {
        const int code = nibble(block + Q5_0::codes, i) | fifth(block + Q5_0::high, i);
        out[i] = static_cast<float>(code - 16) * d;
    }
}

void q5_1(const std::byte* block, float* out) {
    const float d = loadF16(block + Q5_1::d);
    const float m = loadF16(block + Q5_1::m);
    for (unsigned i = 0; i < Q5_1::elements; ++i) {
        const int code = nibble(block + Q5_1::codes, i) | fifth(block + Q5_1::high, i);
        out[i] = static_cast<float>(code) * d + m;
    }
}

template <class Layout>
void q8(const std::byte* block, float* out) {
    const float d = loadF16(block + Layout::d);
    for (unsigned i = 0; i < Layout::elements; ++i) out[i] = static_cast<float>(loadI8(block + Layout::codes + i)) * d;
}

void q1_0(const std::byte* block, float* out) {
    const float d = loadF16(block + Q1_0::d);
    for (unsigned i = 0; i < Q1_0::elements; ++i) out[i] = (loadU8(block + Q1_0::codes + i / 8) >> i % 8 & 1) != 0 ? d : -d;
}

void q2_0(const std::byte* block, float* out) {
    const float d = loadF16(block + Q2_0::d);
    for (unsigned i = 0; i < Q2_0::elements; ++i) {
        const auto code = static_cast<int>(loadU8(block + Q2_0::codes + i / 4) >> (2 * (i % 4)) & 3);
        out[i] = static_cast<float>(code - 1) * d;
    }
}

} // namespace

RowDecoder legacyDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q4_0: return eachBlock<Q4_0, q4_0>;
    case Dtype::Q4_1: return eachBlock<Q4_1, q4_1>;
    case Dtype::Q5_0: return eachBlock<Q5_0, q5_0>;
    case Dtype::Q5_1: return eachBlock<Q5_1, q5_1>;
    case Dtype::Q8_0: return eachBlock<Q8_0, q8<Q8_0>>;
    case Dtype::Q8_1: return eachBlock<Q8_1, q8<Q8_1>>;
    case Dtype::Q1_0: return eachBlock<Q1_0, q1_0>;
    case Dtype::Q2_0: return eachBlock<Q2_0, q2_0>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

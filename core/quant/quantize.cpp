// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"

#include "core/quant/row_encoders.h"

namespace wb::quant {
namespace {

using RowEncoder = void (*)(const RowInput&);

RowEncoder fastForm(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q2_K: return encodeRowQ2K;
    case Dtype::Q3_K: return encodeRowQ3K;
    case Dtype::Q4_K: return encodeRowQ4K;
    case Dtype::Q5_K: return encodeRowQ5K;
    case Dtype::Q6_K: return encodeRowQ6K;
    default: return nullptr;
    }
}

} // namespace

void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out) {
    if (const RowEncoder encode = fastForm(dtype)) return encode({row, weights, out.data()});
    scalar::quantizeRow(dtype, row, weights, out);
}

} // namespace wb::quant

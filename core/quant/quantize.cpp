// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"

#include "core/quant/kernels/row_encoders.h"
#include "core/quant/kernels/simd_choice.h"

namespace wb::quant {
namespace {

RowEncoder fastForm(Dtype dtype, bool weighted) {
    if (weighted)
        if (const RowEncoder encode = weightedEncoder(dtype)) return encode;
    for (const auto family : {directEncoder, kEncoder, iq4Encoder, latticeEncoder, iq1Encoder})
        if (const RowEncoder encode = family(dtype)) return encode;
    return nullptr;
}

} // namespace

bool blocksShareRowMean(Dtype dtype) {
    return dtype == Dtype::Q4_0 || dtype == Dtype::Q4_1 || dtype == Dtype::Q5_0 || dtype == Dtype::Q5_1;
}

void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out) {
    if (weightUse(dtype) == WeightUse::Ignored) weights = {};
    if (usesScalarForm()) return scalar::quantizeRow(dtype, row, weights, out);
    if (const RowEncoder encode = fastForm(dtype, !weights.empty())) return encode({row, weights, out.data()});
    scalar::quantizeRow(dtype, row, weights, out);
}

} // namespace wb::quant

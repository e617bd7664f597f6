// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"

#include "core/quant/kernels/encoders.h"

#include <array>

namespace wb::quant {
namespace {

struct Row {
    Dtype dtype;
    void (*encode)(const scalar::Block&);
    WeightUse weights;
};

using enum WeightUse;
constexpr std::array encoders = {
    Row{Dtype::F32, scalar::encodeF32, Ignored},         Row{Dtype::F16, scalar::encodeF16, Ignored},
    Row{Dtype::BF16, scalar::encodeBf16, Ignored},       Row{Dtype::Q1_0, scalar::encodeQ1_0, Ignored},
    Row{Dtype::Q2_0, scalar::encodeQ2_0, Ignored},       Row{Dtype::Q4_0, scalar::encodeQ4_0, Optional},
    Row{Dtype::Q4_1, scalar::encodeQ4_1, Optional},      Row{Dtype::Q5_0, scalar::encodeQ5_0, Optional},
    Row{Dtype::Q5_1, scalar::encodeQ5_1, Optional},      Row{Dtype::Q8_0, scalar::encodeQ8_0, Ignored},
    Row{Dtype::TQ1_0, scalar::encodeTq1_0, Ignored},     Row{Dtype::TQ2_0, scalar::encodeTq2_0, Ignored},
    Row{Dtype::MXFP4, scalar::encodeMxfp4, Ignored},     Row{Dtype::NVFP4, scalar::encodeNvfp4, Ignored},
    Row{Dtype::Q2_K, scalar::encodeQ2K, Optional},       Row{Dtype::Q3_K, scalar::encodeQ3K, Optional},
    Row{Dtype::Q4_K, scalar::encodeQ4K, Optional},       Row{Dtype::Q5_K, scalar::encodeQ5K, Optional},
    Row{Dtype::Q6_K, scalar::encodeQ6K, Optional},       Row{Dtype::IQ4_NL, scalar::encodeIq4Nl, Optional},
    Row{Dtype::IQ4_XS, scalar::encodeIq4Xs, Optional},   Row{Dtype::IQ2_XXS, scalar::encodeIq2Xxs, Required},
    Row{Dtype::IQ2_XS, scalar::encodeIq2Xs, Required},   Row{Dtype::IQ2_S, scalar::encodeIq2S, Optional},
    Row{Dtype::IQ3_XXS, scalar::encodeIq3Xxs, Optional}, Row{Dtype::IQ3_S, scalar::encodeIq3S, Optional},
    Row{Dtype::IQ1_S, scalar::encodeIq1S, Required},     Row{Dtype::IQ1_M, scalar::encodeIq1M, Optional},
};

const Row* find(Dtype dtype) {
    for (const Row& row : encoders)
        if (row.dtype == dtype) return &row;
    return nullptr;
}

float meanSquare(std::span<const float> row) {
    float sum = 0;
    for (const float x : row) sum += x * x;
    return sum / static_cast<float>(row.size());
}

} // namespace

bool canQuantize(Dtype dtype) { return find(dtype) != nullptr; }

WeightUse weightUse(Dtype dtype) {
    const Row* row = find(dtype);
    return row ? row->weights : Ignored;
}

namespace scalar {

void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out) {
    const Row& encoder = *find(dtype);
    const DtypeInfo& type = info(dtype);
    if (encoder.weights == Ignored) weights = {};
    const float mean = weights.empty() ? 0 : meanSquare(row);
    std::byte* to = out.data();
    for (std::size_t i = 0; i < row.size(); i += type.blockElements, to += type.blockBytes)
        encoder.encode(
            {row.subspan(i, type.blockElements), weights.empty() ? weights : weights.subspan(i, type.blockElements), mean, to});
}

} // namespace scalar
} // namespace wb::quant

// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"

#include "core/quant/kernels/encoders.h"

#include <array>

namespace wb::quant {
namespace {

struct EncoderRow {
    Dtype dtype;
    void (*encode)(const scalar::Block&);
    WeightUse weights;
};

using enum WeightUse;
constexpr std::array encoders = {
    EncoderRow{Dtype::F32, scalar::encodeF32, Ignored},         EncoderRow{Dtype::F16, scalar::encodeF16, Ignored},
    EncoderRow{Dtype::BF16, scalar::encodeBf16, Ignored},       EncoderRow{Dtype::Q1_0, scalar::encodeQ1_0, Ignored},
    EncoderRow{Dtype::Q2_0, scalar::encodeQ2_0, Ignored},       EncoderRow{Dtype::Q4_0, scalar::encodeQ4_0, Optional},
    EncoderRow{Dtype::Q4_1, scalar::encodeQ4_1, Optional},      EncoderRow{Dtype::Q5_0, scalar::encodeQ5_0, Optional},
    EncoderRow{Dtype::Q5_1, scalar::encodeQ5_1, Optional},      EncoderRow{Dtype::Q8_0, scalar::encodeQ8_0, Ignored},
    EncoderRow{Dtype::TQ1_0, scalar::encodeTq1_0, Ignored},     EncoderRow{Dtype::TQ2_0, scalar::encodeTq2_0, Ignored},
    EncoderRow{Dtype::MXFP4, scalar::encodeMxfp4, Ignored},     EncoderRow{Dtype::NVFP4, scalar::encodeNvfp4, Ignored},
    EncoderRow{Dtype::Q2_K, scalar::encodeQ2K, Optional},       EncoderRow{Dtype::Q3_K, scalar::encodeQ3K, Optional},
    EncoderRow{Dtype::Q4_K, scalar::encodeQ4K, Optional},       EncoderRow{Dtype::Q5_K, scalar::encodeQ5K, Optional},
    EncoderRow{Dtype::Q6_K, scalar::encodeQ6K, Optional},       EncoderRow{Dtype::IQ4_NL, scalar::encodeIq4Nl, Optional},
    EncoderRow{Dtype::IQ4_XS, scalar::encodeIq4Xs, Optional},   EncoderRow{Dtype::IQ2_XXS, scalar::encodeIq2Xxs, Required},
    EncoderRow{Dtype::IQ2_XS, scalar::encodeIq2Xs, Required},   EncoderRow{Dtype::IQ2_S, scalar::encodeIq2S, Optional},
    EncoderRow{Dtype::IQ3_XXS, scalar::encodeIq3Xxs, Optional}, EncoderRow{Dtype::IQ3_S, scalar::encodeIq3S, Optional},
    EncoderRow{Dtype::IQ1_S, scalar::encodeIq1S, Required},     EncoderRow{Dtype::IQ1_M, scalar::encodeIq1M, Optional},
};

const EncoderRow* find(Dtype dtype) {
    for (const EncoderRow& row : encoders)
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
    const EncoderRow* row = find(dtype);
    return row ? row->weights : Ignored;
}

namespace scalar {

void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out) {
    const EncoderRow& encoder = *find(dtype);
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

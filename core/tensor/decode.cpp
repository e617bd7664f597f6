// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"

#include "core/tensor/half.h"
#include "core/tensor/row_decoder.h"

#include <cmath>

namespace wb {

void decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) { scalar::decode(dtype, bytes, out); }

bool canDecode(Dtype dtype) {
    const DtypeKind kind = info(dtype).kind;
    return kind != DtypeKind::Unknown && kind != DtypeKind::Complex;
}

namespace scalar {
namespace {

RowDecoder decoderOf(Dtype dtype) {
    for (const auto family : {plainDecoder, smallDecoder, legacyDecoder, superDecoder, ternaryDecoder, fp4Decoder, iq4Decoder,
                              latticeDecoder})
        if (const RowDecoder decoder = family(dtype)) return decoder;
    return nullptr;
}

} // namespace

void decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) {
    const RowDecoder decoder = decoderOf(dtype);
    if (decoder == nullptr) return;
    decoder(bytes.data(), out.data(), out.size() / info(dtype).blockElements);
    if (info(dtype).kind != DtypeKind::Block) return;
    for (float& value : out)
        if (std::isnan(value)) value = blockNan;
}

} // namespace scalar
} // namespace wb

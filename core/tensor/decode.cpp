// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"

#include "core/tensor/fast_decoder.h"
#include "core/tensor/half.h"
#include "core/tensor/row_decoder.h"

#include <cmath>

namespace wb {
namespace {

scalar::RowDecoder fastDecoder(Dtype dtype) {
    for (const auto family : {fast::plainDecoder, fast::blockDecoder, fast::latticeDecoder, fast::lookupDecoder})
        if (const scalar::RowDecoder decoder = family(dtype)) return decoder;
    return nullptr;
}

scalar::RowDecoder referenceDecoder(Dtype dtype) {
    using namespace scalar;
    for (const auto family :
         {plainDecoder, smallDecoder, legacyDecoder, superDecoder, ternaryDecoder, fp4Decoder, iq4Decoder, latticeDecoder})
        if (const RowDecoder decoder = family(dtype)) return decoder;
    return nullptr;
}

} // namespace

bool canDecode(Dtype dtype) {
    const DtypeKind kind = info(dtype).kind;
    return kind != DtypeKind::Unknown && kind != DtypeKind::Complex;
}

void decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) {
    if (const scalar::RowDecoder decoder = fastDecoder(dtype))
        decoder(bytes.data(), out.data(), out.size() / info(dtype).blockElements);
    else scalar::decode(dtype, bytes, out);
}

void scalar::decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out) {
    const RowDecoder decoder = referenceDecoder(dtype);
    if (decoder == nullptr) return;
    decoder(bytes.data(), out.data(), out.size() / info(dtype).blockElements);
    if (info(dtype).kind != DtypeKind::Block) return;
    for (float& value : out)
        if (std::isnan(value)) value = blockNan;
}

} // namespace wb

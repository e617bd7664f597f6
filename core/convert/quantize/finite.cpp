// SPDX-License-Identifier: MIT
#include "core/convert/quantize/finite.h"

#include "core/convert/quantize/error_sums.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::quantize {
namespace {

// f64 reaches beyond the f32 that decoding gives.
bool isFiniteF64(std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i + sizeof(double) <= bytes.size(); i += sizeof(double)) {
        double value = 0;
        std::memcpy(&value, bytes.data() + i, sizeof value);
        if (!std::isfinite(value)) return false;
    }
    return true;
}

} // namespace

bool hasBadExponent(Dtype dtype, std::span<const std::byte> bytes) {
    if (dtype != Dtype::MXFP4) return false;
    const std::size_t block = info(dtype).blockBytes;
    for (std::size_t i = 0; i < bytes.size(); i += block)
        if (bytes[i] == std::byte{0xff}) return true;
    return false;
}

bool isFinite(Dtype dtype, std::span<const std::byte> bytes, std::vector<float>& decoded) {
    if (dtype == Dtype::F64) return isFiniteF64(bytes);
    if (!canDecode(dtype)) return true;
    if (hasBadExponent(dtype, bytes)) return false;
    const DtypeInfo& type = info(dtype);
    const std::size_t most = comparedElements / type.blockElements * type.blockBytes;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), most))) {
        const auto slice = bytes.first(std::min(bytes.size(), most));
        decoded.resize(slice.size() / type.blockBytes * type.blockElements);
        decode(dtype, slice, decoded);
        if (!std::isfinite(errorSums(decoded, decoded).w2)) return false;
    }
    return true;
}

} // namespace wb::quantize

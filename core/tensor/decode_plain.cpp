// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/bytes.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

template <class Stored>
float toF32(Stored value) {
    return static_cast<float>(value);
}

template <class Stored, float (*convert)(Stored)>
void rows(const std::byte* in, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = convert(load<Stored>(in + i * sizeof(Stored)));
}

// F32 keeps its bits, signalling NaNs included. memcpy must not be given null pointers, and an empty span has one.
void copy(const std::byte* in, float* out, std::size_t count) {
    if (count != 0) std::memcpy(out, in, count * sizeof(float));
}

template <class Number>
constexpr RowDecoder number = rows<Number, toF32<Number>>;

} // namespace

RowDecoder plainDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::F64: return number<double>;
    case Dtype::F32: return copy;
    case Dtype::F16: return rows<std::uint16_t, f16ToF32>;
    case Dtype::BF16: return rows<std::uint16_t, bf16ToF32>;
    case Dtype::I64: return number<std::int64_t>;
    case Dtype::I32: return number<std::int32_t>;
    case Dtype::I16: return number<std::int16_t>;
    case Dtype::I8: return number<std::int8_t>;
    case Dtype::U64: return number<std::uint64_t>;
    case Dtype::U32: return number<std::uint32_t>;
    case Dtype::U16: return number<std::uint16_t>;
    case Dtype::U8:
    case Dtype::Bool: return number<std::uint8_t>;
    default: return nullptr;
    }
}

} // namespace wb::scalar

// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_item.h"

#include "core/tensor/half.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace wb::convert {
namespace {

// Nearest, ties to even; what is beyond 448 by half a step or more is NaN, as torch casts it.
std::uint8_t f32ToF8E4m3(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint8_t>(bits >> 24 & 0x80);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    constexpr std::uint32_t beyond = 0x43E80000u; // 464: the tie between 448 and 480 goes up
    if (magnitude >= beyond) return sign | 0x7F;
    constexpr std::uint32_t smallestNormal = 0x3C800000u; // 2^-6
    if (magnitude >= smallestNormal) {
        const std::uint32_t rounded = magnitude + 0x7FFFFu + (magnitude >> 20 & 1);
        return static_cast<std::uint8_t>(sign | ((rounded - 0x3C000000u) >> 20));
    }
    const float steps = std::nearbyint(std::bit_cast<float>(magnitude) * 512.0F); // of 2^-9; exact before rounding
    return static_cast<std::uint8_t>(sign | static_cast<std::uint8_t>(steps));
}

// `codeOf` casts one value; zero and infinite codes are identified by their magnitudes.
template <typename Code>
CastLoss castAll(std::span<const float> values, std::span<std::byte> out, Code infinity, Code magnitudeMask, auto codeOf) {
    CastLoss loss;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Code code = codeOf(values[i]);
        const auto magnitude = static_cast<Code>(code & magnitudeMask);
        loss.overflows += magnitude == infinity && std::isfinite(values[i]);
        loss.underflows += magnitude == 0 && values[i] != 0;
        store(&out[i * sizeof code], code);
    }
    return loss;
}

CastLoss castF32(std::span<const float> values, Dtype to, std::span<std::byte> out) {
    switch (to) {
    case Dtype::F16: return castAll<std::uint16_t>(values, out, 0x7C00, 0x7FFF, [](float v) { return f32ToF16(v); });
    case Dtype::BF16: return castAll<std::uint16_t>(values, out, 0x7F80, 0x7FFF, [](float v) { return f32ToBf16(v); });
    case Dtype::F8_E4M3: return castAll<std::uint8_t>(values, out, 0x7F, 0x7F, [](float v) { return f32ToF8E4m3(v); });
    default: std::memcpy(out.data(), values.data(), values.size_bytes()); return {};
    }
}

// The step from f64 to f32 loses by itself.
Result<CastLoss> readF64(const TensorReader& reader, std::uint64_t first, ItemBuffers& buffers) {
    buffers.raw.resize(buffers.values.size() * sizeof(double));
    WB_TRY(reader.readRaw(first, buffers.values.size(), buffers.raw));
    CastLoss loss;
    for (std::size_t i = 0; i < buffers.values.size(); ++i) {
        const auto value = load<double>(&buffers.raw[i * sizeof(double)]);
        const auto narrow = static_cast<float>(value);
        loss.overflows += std::isinf(narrow) && std::isfinite(value);
        loss.underflows += narrow == 0 && value != 0;
        buffers.values[i] = narrow;
    }
    return loss;
}

// Codes whose bits of `exponent`, which are all between others and the sign, are set: adding its lowest bit then carries into the
// sign, in all codes of a word at once.
template <typename Code>
std::uint64_t countCodes(std::span<const std::byte> elements, Code exponent) {
    constexpr std::uint64_t ones = ~std::uint64_t{0} / std::numeric_limits<Code>::max();
    const std::uint64_t all = ones * exponent, lowest = ones << std::countr_zero(exponent), signs = all + lowest;
    std::uint64_t count = 0;
    std::size_t i = 0;
    for (; i + sizeof(std::uint64_t) <= elements.size(); i += sizeof(std::uint64_t)) {
        const std::uint64_t found = ((load<std::uint64_t>(&elements[i]) & all) + lowest) & signs;
        if (found != 0) count += static_cast<std::uint64_t>(std::popcount(found));
    }
    for (; i + sizeof(Code) <= elements.size(); i += sizeof(Code)) count += (load<Code>(&elements[i]) & exponent) == exponent;
    return count;
}

} // namespace

std::uint64_t countNotFinite(Dtype dtype, std::span<const std::byte> elements) {
    switch (dtype) {
    case Dtype::F32: return countCodes<std::uint32_t>(elements, 0x7F800000);
    case Dtype::F16: return countCodes<std::uint16_t>(elements, 0x7C00);
    case Dtype::BF16: return countCodes<std::uint16_t>(elements, 0x7F80);
    case Dtype::F8_E4M3: return countCodes<std::uint8_t>(elements, 0x7F); // has no infinity
    default: return 0;
    }
}

Result<CastLoss> castElements(const TensorReader& reader, std::uint64_t first, std::uint64_t count, Dtype to,
                              std::span<std::byte> out, ItemBuffers& buffers) {
    if (reader.dtype() == to) {
        WB_TRY(reader.readRaw(first, count, out));
        return CastLoss{};
    }
    buffers.values.resize(count);
    CastLoss loss;
    if (reader.dtype() == Dtype::F64) {
        WB_TRY_ASSIGN(loss, readF64(reader, first, buffers));
    } else {
        WB_TRY(reader.readF32(first, buffers.values, buffers.raw));
    }
    loss += castF32(buffers.values, to, out);
    return loss;
}

} // namespace wb::convert

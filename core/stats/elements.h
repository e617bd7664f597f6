// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "core/tensor/half.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

// The types whose values do not fit f32: how their stored elements become numbers.
namespace wb::stats {

// Whether the type's values need f64 or exact integers; all others are what decode() makes of them.
constexpr bool isWide(Dtype dtype) {
    switch (dtype) {
    case Dtype::F64:
    case Dtype::I32:
    case Dtype::U32:
    case Dtype::I64:
    case Dtype::U64:
    case Dtype::C32:
    case Dtype::C64:
    case Dtype::C128: return true;
    default: return false;
    }
}

// Loads element `index` of stored little-endian bytes of type T.
template <typename T>
struct Plain {
    static_assert(std::endian::native == std::endian::little);

    T operator()(std::span<const std::byte> bytes, std::size_t index) const {
        T value;
        std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
        return value;
    }
};

// Loads the magnitude of a complex element; infinite where a component is, whatever the other one, as C's hypot has it.
template <typename Component>
struct Magnitude {
    double operator()(std::span<const std::byte> bytes, std::size_t index) const {
        const Plain<Component> component;
        return std::hypot(static_cast<double>(component(bytes, 2 * index)), static_cast<double>(component(bytes, 2 * index + 1)));
    }
};

// The component of a C32.
struct Half {
    std::uint16_t bits;
    operator double() const { return double{f16ToF32(bits)}; }
};

// Calls visitor(loader) with a callable (bytes, index) → double, int64_t, uint64_t, int32_t or uint32_t that fits the wide type.
template <typename Visitor>
decltype(auto) visitWide(Dtype dtype, Visitor&& visitor) {
    switch (dtype) {
    case Dtype::I32: return visitor(Plain<std::int32_t>());
    case Dtype::U32: return visitor(Plain<std::uint32_t>());
    case Dtype::I64: return visitor(Plain<std::int64_t>());
    case Dtype::U64: return visitor(Plain<std::uint64_t>());
    case Dtype::C32: return visitor(Magnitude<Half>());
    case Dtype::C64: return visitor(Magnitude<float>());
    case Dtype::C128: return visitor(Magnitude<double>());
    default: return visitor(Plain<double>());
    }
}

// A number as the statistics show it: integers stay integers, everything else is f64.
template <typename T>
Element toElement(T value) {
    if constexpr (std::signed_integral<T>) return std::int64_t{value};
    else if constexpr (std::unsigned_integral<T>) return std::uint64_t{value};
    else return double{value};
}

// A decoded value of a type that is not wide; small integers and booleans become integers again.
inline Element toElement(Dtype dtype, float value) {
    const DtypeKind kind = info(dtype).kind;
    if (kind != DtypeKind::Integer && kind != DtypeKind::Bool) return double{value};
    if (info(dtype).isSigned) return static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(value);
}

} // namespace wb::stats

// SPDX-License-Identifier: MIT
#include "core/formats/index/array_types.h"

#include <algorithm>
#include <array>

namespace wb::formats {
namespace {

struct TypeRow {
    std::string_view name;
    std::string_view shortName;
    Dtype dtype;
};

constexpr std::array rows = {TypeRow{"float32", "f4", Dtype::F32},
                             TypeRow{"float64", "f8", Dtype::F64},
                             TypeRow{"float16", "f2", Dtype::F16},
                             TypeRow{"bfloat16", "", Dtype::BF16},
                             TypeRow{"float8_e4m3fn", "", Dtype::F8_E4M3},
                             TypeRow{"float8_e5m2", "", Dtype::F8_E5M2},
                             TypeRow{"float8_e4m3fnuz", "", Dtype::F8_E4M3FNUZ},
                             TypeRow{"float8_e5m2fnuz", "", Dtype::F8_E5M2FNUZ},
                             TypeRow{"float8_e8m0fnu", "", Dtype::F8_E8M0},
                             TypeRow{"int64", "i8", Dtype::I64},
                             TypeRow{"int32", "i4", Dtype::I32},
                             TypeRow{"int16", "i2", Dtype::I16},
                             TypeRow{"int8", "i1", Dtype::I8},
                             TypeRow{"int4", "", Dtype::I4},
                             TypeRow{"int2", "", Dtype::I2},
                             TypeRow{"uint64", "u8", Dtype::U64},
                             TypeRow{"uint32", "u4", Dtype::U32},
                             TypeRow{"uint16", "u2", Dtype::U16},
                             TypeRow{"uint8", "u1", Dtype::U8},
                             TypeRow{"uint4", "", Dtype::U4},
                             TypeRow{"uint2", "", Dtype::U2},
                             TypeRow{"bool", "b1", Dtype::Bool},
                             TypeRow{"complex64", "c8", Dtype::C64},
                             TypeRow{"complex128", "c16", Dtype::C128}};

} // namespace

std::optional<Dtype> arrayType(std::string_view name) {
    const auto* const row = std::ranges::find(rows, name, &TypeRow::name);
    return row == rows.end() ? std::nullopt : std::optional(row->dtype);
}

std::optional<Dtype> shortArrayType(std::string_view name) {
    const auto* const row = name.empty() ? rows.end() : std::ranges::find(rows, name, &TypeRow::shortName);
    return row == rows.end() ? std::nullopt : std::optional(row->dtype);
}

} // namespace wb::formats

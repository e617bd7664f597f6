// SPDX-License-Identifier: MIT
#include "core/formats/torch/tensor_value.h"

#include <algorithm>
#include <array>

namespace wb::torch {
namespace {

struct ElementTypeRow {
    std::string_view storage; // without "Storage"; empty: no separate class
    std::string_view constant;
    Dtype dtype;
    const char* text;
    std::uint64_t bytes;
};

constexpr std::array rows = {
    ElementTypeRow{"Float", "float32", Dtype::F32, "", 4},
    ElementTypeRow{"Double", "float64", Dtype::F64, "", 8},
    ElementTypeRow{"Half", "float16", Dtype::F16, "", 2},
    ElementTypeRow{"BFloat16", "bfloat16", Dtype::BF16, "", 2},
    ElementTypeRow{"Long", "int64", Dtype::I64, "", 8},
    ElementTypeRow{"Int", "int32", Dtype::I32, "", 4},
    ElementTypeRow{"Short", "int16", Dtype::I16, "", 2},
    ElementTypeRow{"Char", "int8", Dtype::I8, "", 1},
    ElementTypeRow{"Byte", "uint8", Dtype::U8, "", 1},
    ElementTypeRow{"Bool", "bool", Dtype::Bool, "", 1},
    ElementTypeRow{"ComplexFloat", "complex64", Dtype::C64, "", 8},
    ElementTypeRow{"ComplexDouble", "complex128", Dtype::C128, "", 16},
    ElementTypeRow{"QInt8", "qint8", Dtype::I8, "", 1},
    ElementTypeRow{"QUInt8", "quint8", Dtype::U8, "", 1},
    ElementTypeRow{"QInt32", "qint32", Dtype::I32, "", 4},
    ElementTypeRow{"QUInt4x2", "quint4x2", Dtype::Unknown, "QUINT4X2", 1},
    ElementTypeRow{"QUInt2x4", "quint2x4", Dtype::Unknown, "QUINT2X4", 1},
    ElementTypeRow{"", "uint16", Dtype::U16, "", 2},
    ElementTypeRow{"", "uint32", Dtype::U32, "", 4},
    ElementTypeRow{"", "uint64", Dtype::U64, "", 8},
    ElementTypeRow{"", "float8_e4m3fn", Dtype::F8_E4M3, "", 1},
    ElementTypeRow{"", "float8_e5m2", Dtype::F8_E5M2, "", 1},
    ElementTypeRow{"", "float8_e4m3fnuz", Dtype::F8_E4M3FNUZ, "", 1},
    ElementTypeRow{"", "float8_e5m2fnuz", Dtype::F8_E5M2FNUZ, "", 1},
    ElementTypeRow{"", "float8_e8m0fnu", Dtype::F8_E8M0, "", 1},
    ElementTypeRow{"", "bits8", Dtype::U8, "", 1},
    ElementTypeRow{"", "bits16", Dtype::U16, "", 2},
    ElementTypeRow{"", "bits1x8", Dtype::U8, "", 1},
    ElementTypeRow{"", "bits2x4", Dtype::U8, "", 1},
    ElementTypeRow{"", "bits4x2", Dtype::U8, "", 1},
    ElementTypeRow{"", "complex32", Dtype::C32, "", 4},
    ElementTypeRow{"", "float4_e2m1fn_x2", Dtype::Unknown, "F4_E2M1X2", 1},
};

ElementType rowType(const ElementTypeRow& row) { return {row.dtype, row.text, row.bytes, false}; }

} // namespace

ElementType typeOfStorageClass(std::string_view name) {
    const std::size_t end = name.find("Storage");
    if (end == std::string_view::npos) return {};
    const std::string_view kind = name.substr(0, end);
    if (kind == "Untyped" || kind == "_Untyped") return {Dtype::U8, "", 1, true};
    const auto* row = std::ranges::find_if(rows, [&](const ElementTypeRow& r) { return !r.storage.empty() && r.storage == kind; });
    return row == rows.end() ? ElementType{Dtype::Unknown, std::string(name), 0, false} : rowType(*row);
}

ElementType typeOfConstant(std::string_view name) {
    const auto* row = std::ranges::find(rows, name, &ElementTypeRow::constant);
    return row == rows.end() ? ElementType{Dtype::Unknown, std::string(name), 0, false} : rowType(*row);
}

} // namespace wb::torch

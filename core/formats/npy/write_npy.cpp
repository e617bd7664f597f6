// SPDX-License-Identifier: MIT
#include "core/formats/npy/write_npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>

namespace wb::npy {
namespace {

constexpr std::uint64_t slabElements = 1 << 20; // a multiple of every block size

struct WrittenRow {
    Dtype dtype;
    const char* description;
};
constexpr std::array writtenTypes = {WrittenRow{Dtype::F16, "<f2"}, WrittenRow{Dtype::F32, "<f4"},  WrittenRow{Dtype::F64, "<f8"},
                                     WrittenRow{Dtype::I8, "|i1"},  WrittenRow{Dtype::I16, "<i2"},  WrittenRow{Dtype::I32, "<i4"},
                                     WrittenRow{Dtype::I64, "<i8"}, WrittenRow{Dtype::U8, "|u1"},   WrittenRow{Dtype::U16, "<u2"},
                                     WrittenRow{Dtype::U32, "<u4"}, WrittenRow{Dtype::U64, "<u8"},  WrittenRow{Dtype::Bool, "|b1"},
                                     WrittenRow{Dtype::C64, "<c8"}, WrittenRow{Dtype::C128, "<c16"}};

const WrittenRow* rowOf(Dtype dtype) {
    const auto* row = std::ranges::find(writtenTypes, dtype, &WrittenRow::dtype);
    return row == writtenTypes.end() ? nullptr : row;
}

Result<void> writeDecoded(const TensorReader& reader, const Sink& sink, const Progress& progress) {
    static_assert(std::endian::native == std::endian::little, "the values are written as they are in memory");
    std::vector<float> values;
    std::vector<std::byte> scratch;
    for (std::uint64_t first = 0; first < reader.elements(); first += values.size()) {
        WB_TRY(progress.at(first * sizeof(float), reader.elements() * sizeof(float)));
        values.resize(std::min(slabElements, reader.elements() - first));
        WB_TRY(reader.readF32(first, values, scratch));
        WB_TRY(sink(std::as_bytes(std::span(values))));
    }
    return {};
}

Result<void> writeRaw(const TensorReader& reader, const Sink& sink, const Progress& progress) {
    std::vector<std::byte> slab;
    for (std::uint64_t first = 0; first < reader.elements(); first += slabElements) {
        const std::uint64_t count = std::min(slabElements, reader.elements() - first);
        WB_TRY(progress.at(reader.byteCount(first), reader.byteCount(reader.elements())));
        slab.resize(reader.byteCount(count));
        WB_TRY(reader.readRaw(first, count, slab));
        WB_TRY(sink(slab));
    }
    return {};
}

} // namespace

Dtype writtenType(Dtype dtype) { return rowOf(dtype) ? dtype : Dtype::F32; }

std::string npyHeader(Dtype written, const Shape& shape) {
    std::string dimensions;
    for (const std::uint64_t dimension : shape.dimensions()) dimensions += fmt::format("{}, ", dimension);
    if (shape.rank() != 1 && !dimensions.empty()) dimensions.resize(dimensions.size() - 2);
    if (shape.rank() == 1) dimensions.resize(dimensions.size() - 1);
    std::string literal =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", rowOf(written)->description, dimensions);
    literal.append(63 - (10 + literal.size()) % 64, ' ');
    literal += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(literal.size() & 0xFF);
    header += static_cast<char>(literal.size() >> 8);
    return header + literal;
}

Result<void> writeElements(const TensorReader& reader, Dtype written, const Sink& sink, const Progress& progress) {
    WB_TRY(written == reader.dtype() ? writeRaw(reader, sink, progress) : writeDecoded(reader, sink, progress));
    return reader.checkUnchanged();
}

} // namespace wb::npy

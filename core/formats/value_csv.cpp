// SPDX-License-Identifier: MIT
#include "core/formats/value_csv.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::formats {
namespace {

constexpr std::uint64_t slabElements = 1 << 16; // a multiple of every block size

template <typename T>
T loaded(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <typename T>
void addComplex(std::string& line, const std::byte* bytes) {
    const T real = loaded<T>(bytes), imaginary = loaded<T>(bytes + sizeof(T));
    line += shortest(real);
    if (!std::signbit(imaginary)) line += '+';
    line += shortest(imaginary) + "j";
}

// One element of a type whose bytes are not decoded to f32.
void addElement(std::string& line, Dtype dtype, const std::byte* bytes) {
    switch (dtype) {
    case Dtype::I8: line += std::to_string(loaded<std::int8_t>(bytes)); break;
    case Dtype::I16: line += std::to_string(loaded<std::int16_t>(bytes)); break;
    case Dtype::I32: line += std::to_string(loaded<std::int32_t>(bytes)); break;
    case Dtype::I64: line += std::to_string(loaded<std::int64_t>(bytes)); break;
    case Dtype::U8:
    case Dtype::Bool: line += std::to_string(loaded<std::uint8_t>(bytes)); break;
    case Dtype::U16: line += std::to_string(loaded<std::uint16_t>(bytes)); break;
    case Dtype::U32: line += std::to_string(loaded<std::uint32_t>(bytes)); break;
    case Dtype::U64: line += std::to_string(loaded<std::uint64_t>(bytes)); break;
    case Dtype::F64: line += shortest(loaded<double>(bytes)); break;
    case Dtype::C64: addComplex<float>(line, bytes); break;
    case Dtype::C128: addComplex<double>(line, bytes); break;
    default: break;
    }
}

// Floats of up to 32 bits, and everything that is stored in blocks or in less than a byte.
bool isDecoded(Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    const bool isWhole = type.blockElements == 1 && (type.kind == DtypeKind::Integer || type.kind == DtypeKind::Bool);
    return !isWhole && type.kind != DtypeKind::Complex && dtype != Dtype::F64;
}

} // namespace

Result<void> writeCsv(const TensorReader& reader, const std::function<Result<void>(std::string_view)>& sink,
                      const Progress& progress) {
    const std::uint64_t columns = reader.shape().rank() == 0 ? 1 : reader.shape()[reader.shape().rank() - 1];
    const std::size_t elementBytes = info(reader.dtype()).blockBytes;
    const bool decodes = isDecoded(reader.dtype());
    std::vector<float> values;
    std::vector<std::byte> bytes;
    std::string text;
    for (std::uint64_t first = 0; first < reader.elements(); first += slabElements) {
        const std::uint64_t count = std::min(slabElements, reader.elements() - first);
        WB_TRY(progress.at(reader.byteCount(first), reader.byteCount(reader.elements())));
        if (decodes) {
            values.resize(count);
            WB_TRY(reader.readF32(first, values, bytes));
        } else {
            bytes.resize(reader.byteCount(count));
            WB_TRY(reader.readRaw(first, count, bytes));
        }
        text.clear();
        for (std::uint64_t i = 0; i < count; ++i) {
            if (decodes) text += shortest(values[i]);
            else addElement(text, reader.dtype(), bytes.data() + i * elementBytes);
            text += (first + i + 1) % columns == 0 ? '\n' : ',';
        }
        WB_TRY(sink(text));
    }
    return reader.checkUnchanged();
}

} // namespace wb::formats

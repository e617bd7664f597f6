// SPDX-License-Identifier: MIT
#include "core/formats/hdf5/file.h"

#include <fmt/format.h>

namespace wb::hdf5 {
namespace {

enum Class : unsigned { Fixed, Float, Time, Text, Bits, Opaque, Compound, Reference, Enumeration, Variable, Array };

struct Header {
    unsigned version = 0;
    unsigned kind = 0;
    std::uint32_t flags = 0;
    std::uint64_t bytes = 0;
};

Header takeHeader(File& file, std::uint64_t& at) {
    const std::uint64_t first = file.take(at, 1);
    Header header;
    header.version = static_cast<unsigned>(first >> 4);
    header.kind = static_cast<unsigned>(first & 15);
    header.flags = static_cast<std::uint32_t>(file.take(at, 3));
    header.bytes = file.take(at, 4);
    return header;
}

void setUnknown(Type& type, std::string text) {
    type.dtype = Dtype::Unknown;
    type.text = std::move(text);
}

void readFixed(File& file, std::uint64_t& at, const Header& header, Type& type) {
    const std::uint64_t offset = file.take(at, 2), precision = file.take(at, 2);
    const bool isSigned = (header.flags & 8) != 0;
    type.isBigEndian = (header.flags & 1) != 0;
    if (offset != 0 || precision != header.bytes * 8)
        return setUnknown(type, fmt::format("{} bits of {} bytes", precision, header.bytes));
    switch (header.bytes) {
    case 1: type.dtype = isSigned ? Dtype::I8 : Dtype::U8; return;
    case 2: type.dtype = isSigned ? Dtype::I16 : Dtype::U16; return;
    case 4: type.dtype = isSigned ? Dtype::I32 : Dtype::U32; return;
    case 8: type.dtype = isSigned ? Dtype::I64 : Dtype::U64; return;
    default: return setUnknown(type, fmt::format("integers of {} bytes", header.bytes));
    }
}

// A type of floating point is its places of exponent and mantissa.
void readFloat(File& file, std::uint64_t& at, const Header& header, Type& type) {
    at += 2; // bit offset
    const std::uint64_t precision = file.take(at, 2);
    at += 1; // where the exponent starts
    const std::uint64_t exponent = file.take(at, 1);
    at += 1; // where the mantissa starts
    const std::uint64_t mantissa = file.take(at, 1);
    const std::uint64_t bias = file.take(at, 4);
    type.isBigEndian = (header.flags & 1) != 0;
    const auto is = [&](std::uint64_t bytes, std::uint64_t e, std::uint64_t m, std::uint64_t b) {
        return header.bytes == bytes && precision == bytes * 8 && exponent == e && mantissa == m && bias == b;
    };
    if (is(8, 11, 52, 1023)) type.dtype = Dtype::F64;
    else if (is(4, 8, 23, 127)) type.dtype = Dtype::F32;
    else if (is(2, 5, 10, 15)) type.dtype = Dtype::F16;
    else if (is(2, 8, 7, 127)) type.dtype = Dtype::BF16;
    else setUnknown(type, fmt::format("floats of {} bits", precision));
}

// Names of members are filled up to a multiple of 8 in the versions before 3.
std::string takeName(File& file, std::uint64_t& at, unsigned version) {
    constexpr std::uint64_t longest = 4096;
    std::string name;
    std::uint64_t read = 0;
    while (read < longest && file.reader().good()) {
        const auto letter = static_cast<char>(file.take(at, 1));
        ++read;
        if (letter == '\0') break;
        name += letter;
    }
    if (version < 3) at += (8 - read % 8) % 8;
    return name;
}

// A compound of two equal floats is what h5py writes for complex numbers.
void readCompound(File& file, std::uint64_t& at, const Header& header, Type& type, unsigned depth) {
    const std::uint32_t members = header.flags & 0xFFFF;
    unsigned offsetBytes = 4;
    if (header.version >= 3)
        for (offsetBytes = 1; offsetBytes < 4 && header.bytes >> 8 * offsetBytes != 0;) ++offsetBytes;
    std::string names;
    Type first;
    bool isPair = members == 2;
    for (std::uint32_t i = 0; i < members && i < 1024 && file.reader().good(); ++i) {
        names += takeName(file, at, header.version) + " ";
        at += offsetBytes;
        if (header.version == 1) at += 1 + 3 + 4 + 4 + 16; // dimensions
        const Type member = readType(file, at, depth + 1);
        if (i == 0) first = member;
        else isPair = isPair && member.dtype == first.dtype && member.isBigEndian == first.isBigEndian;
    }
    type.isBigEndian = first.isBigEndian;
    if (isPair && names == "r i " && first.dtype == Dtype::F32 && header.bytes == 8) type.dtype = Dtype::C64;
    else if (isPair && names == "r i " && first.dtype == Dtype::F64 && header.bytes == 16) type.dtype = Dtype::C128;
    else setUnknown(type, "compound");
}

// FALSE and TRUE in a byte are what h5py writes for booleans.
void readEnumeration(File& file, std::uint64_t& at, const Header& header, Type& type, unsigned depth) {
    const std::uint32_t members = header.flags & 0xFFFF;
    const Type base = readType(file, at, depth + 1);
    std::string names;
    for (std::uint32_t i = 0; i < members && i < 65'536 && file.reader().good(); ++i)
        names += takeName(file, at, header.version) + " ";
    at += members * base.bytes;
    type.dtype = base.dtype;
    type.isBigEndian = base.isBigEndian;
    if (names == "FALSE TRUE " && base.bytes == 1) type.dtype = Dtype::Bool;
}

} // namespace

Type readType(File& file, std::uint64_t& at, unsigned depth) {
    Type type;
    const Header header = takeHeader(file, at);
    type.bytes = header.bytes;
    if (depth > 16 || header.version > 5) {
        file.reader().reject();
        return type;
    }
    switch (header.kind) {
    case Fixed: readFixed(file, at, header, type); break;
    case Float: readFloat(file, at, header, type); break;
    case Text:
        setUnknown(type, "STRING");
        type.isText = true;
        break;
    case Opaque:
        setUnknown(type, "opaque");
        type.isOpaque = true;
        at += header.flags & 0xFF; // its tag
        break;
    case Compound: readCompound(file, at, header, type, depth); break;
    case Enumeration: readEnumeration(file, at, header, type, depth); break;
    case Variable: {
        const bool isText = (header.flags & 15) == 1;
        (void)readType(file, at, depth + 1);
        setUnknown(type, isText ? "STRING" : "lists");
        type.isLongText = isText;
        break;
    }
    case Array: {
        const std::uint64_t rank = file.take(at, 1);
        at += (header.version < 3 ? 3 + 4 * rank : 0) + 4 * rank;
        (void)readType(file, at, depth + 1);
        setUnknown(type, "arrays");
        break;
    }
    case Bits: at += 4; [[fallthrough]];
    default: setUnknown(type, header.kind == Reference ? "references" : fmt::format("class {}", header.kind));
    }
    return type;
}

std::optional<std::vector<std::uint64_t>> readDataspace(File& file, std::uint64_t at) {
    const std::uint64_t version = file.take(at, 1), rank = file.take(at, 1);
    at += 1; // flags
    const std::uint64_t kind = file.take(at, 1);
    if (version == 1) at += 4;
    if (version == 0 || version > 2 || rank > 32) {
        file.reader().reject();
        return std::nullopt;
    }
    constexpr std::uint64_t null = 2;
    if (version == 2 && kind == null) return std::nullopt;
    std::vector<std::uint64_t> shape;
    for (std::uint64_t i = 0; i < rank; ++i) shape.push_back(file.takeLength(at));
    return shape;
}

} // namespace wb::hdf5

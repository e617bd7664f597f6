// SPDX-License-Identifier: MIT
#include "core/formats/zarr/array_meta.h"

#include "core/base/checked.h"
#include "core/formats/index/array_types.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace wb::zarr {
namespace {

constexpr std::uint64_t maxChunks = 4'000'000;
constexpr std::uint64_t maxChunkBytes = 1ull << 30;
constexpr std::size_t maxCodecs = 16;

const ValueObject* objectAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->object() : nullptr;
}

std::string textAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value && value->string() ? *value->string() : std::string();
}

std::optional<std::vector<std::uint64_t>> sidesAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    const ValueArray* list = value ? value->array() : nullptr;
    if (!list || !list->complete() || list->count > Shape::maximumRank) return std::nullopt;
    std::vector<std::uint64_t> sides;
    for (const Value& side : list->first) {
        const auto number = side.unsignedNumber();
        if (!number) return std::nullopt;
        sides.push_back(*number);
    }
    return sides;
}

Codec::Kind compressor(std::string_view name) {
    struct Name {
        std::string_view name;
        Codec::Kind kind;
    };
    static constexpr Name names[] = {
        {"gzip", Codec::Kind::Gzip}, {"zlib", Codec::Kind::Zlib},           {"zstd", Codec::Kind::Zstd},
        {"bz2", Codec::Kind::Bzip2}, {"blosc", Codec::Kind::Blosc},         {"crc32c", Codec::Kind::Crc32c},
        {"lz4", Codec::Kind::Lz4},   {"numcodecs.zlib", Codec::Kind::Zlib}, {"numcodecs.zstd", Codec::Kind::Zstd}};
    const auto* const found = std::ranges::find(names, name, &Name::name);
    return found == std::end(names) ? Codec::Kind::Unknown : found->kind;
}

std::vector<std::uint32_t> reversedAxes(std::size_t rank) {
    std::vector<std::uint32_t> order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::uint32_t>(rank - 1 - i);
    return order;
}

bool hasZero(const std::vector<std::uint64_t>& sides) { return std::ranges::find(sides, 0u) != sides.end(); }

bool isPermutation(const std::vector<std::uint32_t>& order) {
    std::vector<bool> seen(order.size());
    for (const std::uint32_t axis : order) {
        if (axis >= order.size() || seen[axis]) return false;
        seen[axis] = true;
    }
    return true;
}

// The numbers of a fill value as the element's bytes, little-endian.
std::vector<std::byte> fillBytes(const Value* value, Dtype dtype) {
    const std::uint64_t width = elementBytes(dtype);
    std::vector<std::byte> out;
    if (!value || width == 0) return out;
    std::uint64_t bits = 0;
    const auto real = [&](double number) -> std::optional<std::uint64_t> {
        switch (dtype) {
        case Dtype::F64: return std::bit_cast<std::uint64_t>(number);
        case Dtype::F32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
        case Dtype::BF16: return std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16;
        default: return number == 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
        }
    };
    std::optional<double> number = value->number();
    if (const std::string* text = value->string()) {
        if (*text == "NaN") number = std::nan("");
        else if (*text == "Infinity") number = HUGE_VAL;
        else if (*text == "-Infinity") number = -HUGE_VAL;
        else if (text->starts_with("0x")) {
            const auto [end, error] = std::from_chars(text->data() + 2, text->data() + text->size(), bits, 16);
            if (error != std::errc() || end != text->data() + text->size()) return out;
            for (std::uint64_t i = 0; i < width; ++i) out.push_back(static_cast<std::byte>(i < 8 ? bits >> 8 * i & 0xFF : 0));
            return out;
        }
    }
    if (info(dtype).kind == DtypeKind::Float) {
        const auto code = number ? real(*number) : std::nullopt;
        if (!code) return out;
        bits = *code;
    } else if (const bool* flag = std::get_if<bool>(&value->data)) {
        bits = *flag ? 1 : 0;
    } else if (const auto* whole = std::get_if<std::int64_t>(&value->data)) {
        bits = static_cast<std::uint64_t>(*whole);
    } else if (const auto natural = value->unsignedNumber()) {
        bits = *natural;
    } else {
        return out;
    }
    for (std::uint64_t i = 0; i < width; ++i) out.push_back(static_cast<std::byte>(i < 8 ? bits >> 8 * i & 0xFF : 0));
    return out;
}

std::optional<std::vector<Codec>> readCodecs(const Value* value, std::size_t rank, unsigned depth);

std::optional<Codec> readCodec(const ValueObject& object, std::size_t rank, unsigned depth) {
    static const ValueObject none;
    const std::string name = textAt(object, "name");
    const ValueObject* given = objectAt(object, "configuration");
    const ValueObject& configuration = given ? *given : none;
    Codec codec;
    codec.kind = compressor(name);
    codec.name = name;
    if (name == "bytes") {
        codec.kind = Codec::Kind::Bytes;
        codec.isBigEndian = textAt(configuration, "endian") == "big";
    } else if (name == "transpose") {
        codec.kind = Codec::Kind::Transpose;
        const auto order = sidesAt(configuration, "order");
        const std::string word = textAt(configuration, "order");
        if (order)
            for (const std::uint64_t axis : *order)
                codec.order.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(axis, 1000)));
        else if (word == "F") codec.order = reversedAxes(rank);
        else if (word != "C") return std::nullopt;
        if (!codec.order.empty() && (codec.order.size() != rank || !isPermutation(codec.order))) return std::nullopt;
    } else if (name == "sharding_indexed") {
        codec.kind = Codec::Kind::Sharding;
        const auto inner = sidesAt(configuration, "chunk_shape");
        const auto codecs = readCodecs(configuration.find("codecs"), rank, depth + 1);
        const Value* index = configuration.find("index_codecs");
        if (!inner || inner->size() != rank || hasZero(*inner) || !codecs) return std::nullopt;
        codec.inner = *inner;
        codec.codecs = *codecs;
        codec.isIndexFirst = textAt(configuration, "index_location") == "start";
        for (const Value& one : index && index->array() ? index->array()->first : std::vector<Value>())
            if (one.object() && textAt(*one.object(), "name") == "crc32c") codec.indexTail = 4;
    }
    return codec;
}

std::optional<std::vector<Codec>> readCodecs(const Value* value, std::size_t rank, unsigned depth) {
    const ValueArray* list = value ? value->array() : nullptr;
    if (!list || list->count > maxCodecs || !list->complete() || depth > maxCodecDepth) return std::nullopt;
    std::vector<Codec> codecs;
    for (const Value& one : list->first) {
        auto codec = one.object() ? readCodec(*one.object(), rank, depth) : std::nullopt;
        if (!codec) return std::nullopt;
        codecs.push_back(std::move(*codec));
    }
    return codecs;
}

void readType(ArrayMeta& meta, const std::string& text, bool isVersion3, bool& isBigEndian) {
    std::string_view name = text;
    if (!isVersion3 && !name.empty() && (name[0] == '<' || name[0] == '>' || name[0] == '|')) {
        isBigEndian = name[0] == '>';
        name.remove_prefix(1);
        meta.dtype = formats::shortArrayType(name).value_or(Dtype::Unknown);
    } else {
        meta.dtype = formats::arrayType(name).value_or(Dtype::Unknown);
    }
    // Elements of four and two bits are a byte each.
    if (packedBits(meta.dtype) != 0) meta.dtype = info(meta.dtype).isSigned ? Dtype::I8 : Dtype::U8;
    if (meta.dtype == Dtype::Unknown) meta.typeText = text.empty() ? "record" : text;
}

bool readVersion2(const ValueObject& object, ArrayMeta& meta) {
    Codec bytes{Codec::Kind::Bytes};
    readType(meta, textAt(object, "dtype"), false, bytes.isBigEndian);
    const auto chunk = sidesAt(object, "chunks");
    if (!chunk) return false;
    meta.chunk = *chunk;
    if (textAt(object, "dimension_separator") == "/") meta.separator = '/';
    if (textAt(object, "order") == "F") {
        Codec transpose{Codec::Kind::Transpose};
        transpose.order = reversedAxes(meta.shape.size());
        meta.codecs.push_back(std::move(transpose));
    }
    meta.codecs.push_back(bytes);
    const Value* filters = object.find("filters");
    if (filters && filters->array() && filters->array()->count != 0) {
        Codec filter;
        const ValueArray& list = *filters->array();
        filter.name = !list.first.empty() && list.first[0].object() ? textAt(*list.first[0].object(), "id") : "filter";
        meta.codecs.push_back(std::move(filter));
    }
    if (const ValueObject* compressing = objectAt(object, "compressor")) {
        Codec codec;
        codec.name = textAt(*compressing, "id");
        codec.kind = compressor(codec.name);
        meta.codecs.push_back(std::move(codec));
    }
    return true;
}

bool readVersion3(const ValueObject& object, ArrayMeta& meta) {
    bool ignored = false;
    readType(meta, textAt(object, "data_type"), true, ignored);
    const ValueObject* grid = objectAt(object, "chunk_grid");
    const ValueObject* regular = grid && textAt(*grid, "name") == "regular" ? objectAt(*grid, "configuration") : nullptr;
    const auto chunk = regular ? sidesAt(*regular, "chunk_shape") : std::nullopt;
    const auto codecs = readCodecs(object.find("codecs"), meta.shape.size(), 0);
    if (!chunk || !codecs) return false;
    meta.chunk = *chunk;
    meta.codecs = *codecs;
    const ValueObject* keys = objectAt(object, "chunk_key_encoding");
    const bool isDefault = !keys || textAt(*keys, "name") != "v2";
    meta.keyPrefix = isDefault ? "c" : "";
    meta.separator = isDefault ? '/' : '.';
    const ValueObject* configuration = keys ? objectAt(*keys, "configuration") : nullptr;
    const std::string separator = configuration ? textAt(*configuration, "separator") : "";
    if (separator.size() == 1) meta.separator = separator[0];
    return true;
}

void writeCodecs(worker::WireWriter& out, const std::vector<Codec>& codecs) {
    out.u64(codecs.size());
    for (const Codec& codec : codecs) {
        out.u8(static_cast<std::uint8_t>(codec.kind));
        out.flag(codec.isBigEndian);
        out.u64(codec.order.size());
        for (const std::uint32_t axis : codec.order) out.u32(axis);
        out.u64(codec.inner.size());
        for (const std::uint64_t side : codec.inner) out.u64(side);
        out.u32(codec.indexTail);
        out.flag(codec.isIndexFirst);
        writeCodecs(out, codec.codecs);
    }
}

std::vector<Codec> readCodecsMessage(worker::WireReader& in, std::size_t rank, unsigned depth) {
    std::vector<Codec> codecs(std::min<std::uint64_t>(in.count(31), maxCodecs));
    if (depth > maxCodecDepth) in.reject();
    for (Codec& codec : codecs) {
        const std::uint8_t kind = in.u8();
        if (kind > static_cast<std::uint8_t>(Codec::Kind::Unknown)) in.reject();
        codec.kind = static_cast<Codec::Kind>(kind);
        codec.isBigEndian = in.flag();
        codec.order.resize(std::min<std::uint64_t>(in.count(4), Shape::maximumRank));
        for (std::uint32_t& axis : codec.order) axis = in.u32();
        codec.inner.resize(std::min<std::uint64_t>(in.count(8), Shape::maximumRank));
        for (std::uint64_t& side : codec.inner) side = in.u64();
        codec.indexTail = in.u32();
        codec.isIndexFirst = in.flag();
        if (!in.good()) return {};
        codec.codecs = readCodecsMessage(in, rank, depth + 1);
        const bool isShape =
            codec.kind != Codec::Kind::Sharding || (codec.inner.size() == rank && !hasZero(codec.inner) && codec.indexTail <= 4);
        const bool isOrder = codec.order.empty() || (codec.order.size() == rank && isPermutation(codec.order));
        if (!isShape || !isOrder) in.reject();
    }
    return in.good() ? codecs : std::vector<Codec>();
}

} // namespace

std::uint64_t elementBytes(Dtype dtype) {
    return info(dtype).blockElements == 1 && packedBits(dtype) == 0 ? info(dtype).blockBytes : 0;
}

std::optional<ArrayMeta> readMeta(const ValueObject& object, bool isVersion3) {
    ArrayMeta meta;
    const auto shape = sidesAt(object, "shape");
    if (!shape || !Shape::make(*shape)) return std::nullopt;
    meta.shape = *shape;
    if (!(isVersion3 ? readVersion3(object, meta) : readVersion2(object, meta))) return std::nullopt;
    if (meta.chunk.size() != meta.shape.size() || hasZero(meta.chunk)) return std::nullopt;
    meta.fill = fillBytes(object.find("fill_value"), meta.dtype);
    return meta;
}

std::optional<std::string> unsupportedCodec(const std::vector<Codec>& codecs) {
    for (const Codec& codec : codecs) {
        if (codec.kind == Codec::Kind::Unknown) return codec.name.empty() ? "unnamed" : codec.name;
        if (const auto inner = unsupportedCodec(codec.codecs)) return inner;
    }
    return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> chunkGrid(const ArrayMeta& meta) {
    std::vector<std::uint64_t> grid;
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < meta.shape.size(); ++axis) {
        const std::uint64_t chunks = meta.shape[axis] / meta.chunk[axis] + (meta.shape[axis] % meta.chunk[axis] != 0);
        grid.push_back(chunks);
        const auto total = checked::mul(count, chunks);
        if (!total || *total > maxChunks) return std::nullopt;
        count = *total;
    }
    const auto chunk = Shape::make(meta.chunk);
    const auto bytes = chunk ? checked::mul(chunk->elements(), std::max<std::uint64_t>(elementBytes(meta.dtype), 1)) : std::nullopt;
    return bytes && *bytes <= maxChunkBytes ? std::optional(grid) : std::nullopt;
}

std::string chunkKey(const ArrayMeta& meta, const std::vector<std::uint64_t>& at) {
    if (at.empty()) return meta.keyPrefix.empty() ? "0" : meta.keyPrefix;
    std::string key = meta.keyPrefix;
    for (const std::uint64_t chunk : at) {
        if (!key.empty()) key += meta.separator;
        key += fmt::format("{}", chunk);
    }
    return key;
}

void writeMeta(worker::WireWriter& out, const ArrayMeta& meta) {
    out.u64(meta.shape.size());
    for (const std::uint64_t side : meta.shape) out.u64(side);
    for (const std::uint64_t side : meta.chunk) out.u64(side);
    out.u8(static_cast<std::uint8_t>(meta.dtype));
    out.bytes(meta.fill);
    writeCodecs(out, meta.codecs);
}

ArrayMeta readMetaMessage(worker::WireReader& in) {
    ArrayMeta meta;
    meta.shape.resize(std::min<std::uint64_t>(in.count(16), Shape::maximumRank));
    for (std::uint64_t& side : meta.shape) side = in.u64();
    for (std::size_t i = 0; i < meta.shape.size(); ++i) meta.chunk.push_back(in.u64());
    const std::uint8_t dtype = in.u8();
    if (dtype >= static_cast<std::uint8_t>(Dtype::Count)) in.reject();
    else meta.dtype = static_cast<Dtype>(dtype);
    const auto fill = in.bytes();
    meta.fill.assign(fill.begin(), fill.end());
    meta.codecs = readCodecsMessage(in, meta.shape.size(), 0);
    const bool isFine = in.good() && Shape::make(meta.shape) && !hasZero(meta.chunk) &&
                        (meta.fill.empty() || meta.fill.size() == elementBytes(meta.dtype)) && elementBytes(meta.dtype) != 0 &&
                        chunkGrid(meta);
    if (!isFine) in.reject();
    return meta;
}

} // namespace wb::zarr

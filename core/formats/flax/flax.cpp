// SPDX-License-Identifier: MIT
#include "core/formats/flax/flax.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/index/array_types.h"
#include "core/formats/msgpack/msgpack.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::flax {
namespace {

using msgpack::Item;
using msgpack::Kind;
using namespace std::string_view_literals;

constexpr formats::Tasks taskNames{"flax.index"};
constexpr std::int8_t arrayType = 1, complexType = 2, scalarType = 3; // of extensions
constexpr std::string_view chunkedKey = "__msgpack_chunked_array__";
constexpr unsigned maxDepth = 64;

struct Array {
    Dtype dtype = Dtype::Unknown;
    std::string typeText;
    std::vector<std::uint64_t> sides;
    std::uint64_t begin = 0; // of its bytes in the file
    std::uint64_t bytes = 0;
};

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_bytes(source), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        msgpack::Reader reader(m_bytes, 0, m_source.size());
        const Item root = reader.next();
        if (root.kind != Kind::Map)
            return m_findings.refuse(ErrorCode::Malformed, "flax.root", WB_TEXT("{} is not a MessagePack map of parameters."));
        m_isTrainState = hasKey(root.count, "opt_state");
        WB_TRY(readMap(reader, root.count, "", 0));
        if (m_bytes.failure()) return std::unexpected(*m_bytes.failure());
        if (!reader.good())
            WB_TRY(m_findings.defect(Severity::Error, "flax.damaged", std::nullopt,
                                     WB_TEXT("{} is corrupted: its MessagePack data is truncated or invalid; download it again.")));
        else if (!reader.atEnd())
            m_findings.add(Severity::Warning, "flax.trailing", reader.position(),
                           WB_TEXT("{}: unexpected data after the parameters."));
        Model& model = m_index.model;
        model.format = FormatId::Flax;
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    // Whether the outermost map has this key.
    bool hasKey(std::uint64_t count, std::string_view wanted) {
        msgpack::Reader reader(m_bytes, 0, m_source.size());
        (void)reader.next();
        for (std::uint64_t i = 0; i < count && reader.good(); ++i) {
            if (keyText(reader, reader.next()) == wanted) return true;
            if (!reader.skip()) return false;
        }
        return false;
    }

    Result<void> readMap(msgpack::Reader& reader, std::uint64_t count, const std::string& path, unsigned depth) {
        if (depth > maxDepth)
            return m_findings.refuse(ErrorCode::TooLarge, "flax.depth",
                                     WB_TEXT("{} nests its parameters more than {} levels deep."), maxDepth);
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        for (std::uint64_t i = 0; i < count && reader.good(); ++i) {
            const Item key = reader.next();
            if (key.kind == Kind::Bad) return {};
            const std::string name = keyText(reader, key);
            // A map with this key, which is always the first, stands for an array.
            if (name == chunkedKey && i == 0) return readChunked(reader, count, path);
            WB_TRY(readValue(reader, path.empty() ? name : path + "." + name, depth));
        }
        return {};
    }

    static std::string keyText(msgpack::Reader& reader, const Item& key) {
        if (key.kind == Kind::Text) return toUtf8(reader.text(key));
        if (key.kind == Kind::Unsigned) return fmt::format("{}", key.number);
        return "?";
    }

    Result<void> readValue(msgpack::Reader& reader, const std::string& path, unsigned depth) {
        const Item item = reader.next();
        switch (item.kind) {
        case Kind::Map: return readMap(reader, item.count, path, depth + 1);
        case Kind::Array:
            for (std::uint64_t i = 0; i < item.count && reader.good(); ++i) {
                if (depth > maxDepth) return {};
                WB_TRY(readValue(reader, fmt::format("{}.{}", path, i), depth + 1));
            }
            return {};
        case Kind::Extension: return readExtension(item, path);
        case Kind::Bad: return {};
        case Kind::Unsigned:
        case Kind::Signed:
            if (m_isTrainState) return keepNumber(path, item.number); // such as its step
            [[fallthrough]];
        default: addMetadata(path, reader, item); return {};
        }
    }

    Result<void> keepNumber(const std::string& path, std::uint64_t number) {
        std::array<std::byte, 8> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> 8 * i & 0xFF);
        TensorInfo tensor;
        tensor.name = path;
        tensor.dtype = Dtype::I64;
        const auto source = m_index.copy(bytes);
        if (source) tensor.source = *source;
        else makeUnavailable(tensor, WB_TEXT("too much data would have to be copied from the file"));
        return keep(std::move(tensor));
    }

    void addMetadata(const std::string& path, msgpack::Reader& reader, const Item& item) {
        constexpr std::size_t most = 10'000;
        if (m_index.model.metadata.members.size() >= most) return;
        Value value;
        switch (item.kind) {
        case Kind::Bool: value = Value::of(item.number != 0); break;
        case Kind::Unsigned: value = Value::ofUnsigned(ValueType::U64, item.number); break;
        case Kind::Signed: value = Value::ofSigned(ValueType::I64, static_cast<std::int64_t>(item.number)); break;
        case Kind::Float: value = Value::ofFloat(ValueType::F64, item.real); break;
        case Kind::Text: value = Value::of(toUtf8(reader.text(item, 1 << 20))); break;
        case Kind::Bytes: value = Value::of(fmt::format("{} bytes", item.length)); break;
        default: break;
        }
        m_index.model.metadata.members.push_back({path, std::move(value)});
    }

    // An array of shape, type and bytes. Empty where it is none.
    std::optional<Array> arrayIn(const Item& extension) {
        msgpack::Reader inner(m_bytes, extension.begin, extension.begin + extension.length);
        const Item head = inner.next();
        if (head.kind != Kind::Array || head.count != 3) return std::nullopt;
        const Item shape = inner.next();
        if (shape.kind != Kind::Array || shape.count > Shape::maximumRank) return std::nullopt;
        Array array;
        for (std::uint64_t i = 0; i < shape.count; ++i) {
            const Item side = inner.next();
            if (side.kind != Kind::Unsigned) return std::nullopt;
            array.sides.push_back(side.number);
        }
        const Item type = inner.next();
        if (type.kind != Kind::Text) return std::nullopt;
        const std::string name = inner.text(type, 256);
        const Item bytes = inner.next();
        if (bytes.kind != Kind::Bytes || !inner.good()) return std::nullopt;
        if (const auto dtype = formats::arrayType(name)) array.dtype = *dtype;
        else array.typeText = toUtf8(name);
        array.begin = bytes.begin;
        array.bytes = bytes.length;
        return array;
    }

    Result<void> readExtension(const Item& item, const std::string& path) {
        if (item.type == complexType) {
            msgpack::Reader inner(m_bytes, item.begin, item.begin + item.length);
            const Item head = inner.next(), real = inner.next(), imaginary = inner.next();
            if (head.kind == Kind::Array && real.kind == Kind::Float && imaginary.kind == Kind::Float)
                m_index.model.metadata.members.push_back({path, Value::of(fmt::format("({}{:+}j)", real.real, imaginary.real))});
            return {};
        }
        const auto array = item.type == arrayType || item.type == scalarType ? arrayIn(item) : std::nullopt;
        if (!array) {
            m_findings.add(Severity::Warning, "flax.leaf", item.begin, WB_TEXT("{}: the leaf {} has an unknown type."),
                           formats::shown(path));
            return {};
        }
        TensorInfo tensor = tensorFromPath(path, *array, array->sides);
        if (tensor.source.form() == TensorSource::Form::Stored && tensor.dtype != Dtype::Unknown &&
            rowBytes(tensor.dtype, tensor.shape.elements()) != array->bytes)
            makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
        return keep(std::move(tensor));
    }

    Result<void> keep(TensorInfo tensor) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "flax.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    TensorInfo tensorFromPath(const std::string& path, const Array& array, const std::vector<std::uint64_t>& sides) {
        TensorInfo tensor;
        tensor.name = path;
        tensor.dtype = array.dtype;
        tensor.typeText = array.typeText;
        tensor.source = TensorSource::stored(0, array.begin, array.bytes);
        const auto shape = Shape::make(sides);
        if (shape) tensor.shape = *shape;
        else makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
        return tensor;
    }

    void makeUnavailable(TensorInfo& tensor, const char* why) {
        m_findings.add(Severity::Error, "flax.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("flax.values"), why);
    }

    static std::optional<std::uint64_t> position(const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
    }

    // "__msgpack_chunked_array__": true, "shape": {"0": …}, "chunks": {"0": array, …}. The first key was read.
    Result<void> readChunked(msgpack::Reader& reader, std::uint64_t count, const std::string& path) {
        (void)reader.skip(); // true
        std::map<std::uint64_t, std::uint64_t> sides;
        std::map<std::uint64_t, Array> chunks;
        for (std::uint64_t i = 1; i < count && reader.good(); ++i) {
            const std::string name = keyText(reader, reader.next());
            const Item map = reader.next();
            if (map.kind != Kind::Map) return {};
            for (std::uint64_t k = 0; k < map.count && reader.good(); ++k) {
                const auto number = position(keyText(reader, reader.next()));
                const Item value = reader.next();
                if (name == "shape" && number && value.kind == Kind::Unsigned) sides[*number] = value.number;
                if (name == "chunks" && number && value.kind == Kind::Extension)
                    if (const auto array = arrayIn(value)) chunks[*number] = *array;
            }
        }
        std::vector<std::uint64_t> shape;
        for (const auto& [axis, side] : sides) shape.push_back(side);
        TensorInfo tensor = tensorFromPath(path, chunks.empty() ? Array() : chunks.begin()->second, shape);
        joinChunks(tensor, chunks);
        return keep(std::move(tensor));
    }

    void joinChunks(TensorInfo& tensor, const std::map<std::uint64_t, Array>& chunks) {
        const std::uint64_t width = info(tensor.dtype).blockBytes;
        std::vector<TensorPiece> pieces;
        std::uint64_t elements = 0, next = 0;
        for (const auto& [number, chunk] : chunks) {
            if (number != next++ || chunk.dtype != tensor.dtype || width == 0 || chunk.bytes % width != 0)
                return makeUnavailable(tensor, WB_TEXT("one of their segments is missing or has another type"));
            pieces.push_back({0, chunk.begin, chunk.bytes / width});
            elements += chunk.bytes / width;
        }
        if (tensor.source.form() != TensorSource::Form::Stored) return;
        if (elements != tensor.shape.elements()) return makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
        auto details = std::make_shared<TensorDetails>();
        details->notes.push_back(fragmentText(fragment::pieces, pieces.size()));
        tensor.details = std::move(details);
        if (!pieces.empty()) tensor.source = TensorSource::pieces(std::move(pieces), elements * width);
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    io::RandomReader m_bytes;
    formats::Findings m_findings;
    formats::Index m_index;
    bool m_isTrainState = false;
};

} // namespace

bool sniff(const io::ByteSource& source) {
    io::RandomReader bytes(source);
    const auto first = source.size() > 2 ? bytes.read<std::uint8_t>(0) : std::uint8_t{0};
    const bool isMap = (first & 0xF0) == 0x80 || first == 0xDE || first == 0xDF;
    if (!isMap) return false;
    msgpack::Reader reader(bytes, 0, source.size());
    const Item root = reader.next();
    const Item key = root.kind == Kind::Map && root.count > 0 ? reader.next() : Item{};
    if (key.kind != Kind::Text || key.length > 256) return false;
    // The names of types are in every array; a search through all of the file's structure finds the first of them.
    msgpack::Reader again(bytes, 0, source.size());
    constexpr std::uint64_t maxItems = 1 << 20;
    for (std::uint64_t i = 0; i < maxItems && again.good() && !again.atEnd(); ++i)
        if (const Item item = again.next(); item.kind == Kind::Extension) return item.type >= arrayType && item.type <= scalarType;
    return false;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::flax

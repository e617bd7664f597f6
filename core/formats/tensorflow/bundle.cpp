// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/table/table.h"
#include "core/formats/tensorflow/parts.h"
#include "core/formats/tensorflow/slices.h"
#include "core/model/fragments.h"

#include <algorithm>
#include <map>

namespace wb::tensorflow {
namespace {

using proto::Message;
using proto::Wire;

// A BundleEntryProto.
struct BundleEntry {
    std::uint64_t type = 0;
    std::optional<Shape> shape = Shape();
    std::uint64_t shard = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::vector<Box> boxes;
};

// One message that is in memory.
class MemoryMessage {
public:
    MemoryMessage(const std::string& name, std::span<const std::byte> bytes)
        : m_source(name, {bytes.begin(), bytes.end()}), m_cursor(m_source) {}

    Message message() { return {m_cursor, m_source.size(), m_source.name()}; }
    const io::MemorySource& source() const { return m_source; }

private:
    io::MemorySource m_source;
    io::Cursor m_cursor;
};

Result<BundleEntry> readEntry(Message message) {
    BundleEntry entry;
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return entry;
        switch (message.field()) {
        case 1: entry.type = message.number(); break;
        case 2: {
            WB_TRY_ASSIGN(const Message shape, message.message());
            WB_TRY_ASSIGN(entry.shape, readShape(shape));
            break;
        }
        case 3: entry.shard = message.number(); break;
        case 4: entry.offset = message.number(); break;
        case 5: entry.bytes = message.number(); break;
        case 7: {
            WB_TRY_ASSIGN(const Message slice, message.message());
            WB_TRY_ASSIGN(Box box, readBox(slice));
            entry.boxes.push_back(std::move(box));
            break;
        }
        default: break;
        }
    }
}

class Bundle {
public:
    Bundle(Reading& reading, std::uint32_t number) : m_reading(reading), m_source(*reading.sources[number]) {
        m_prefix = m_source.name().substr(0, m_source.name().rfind(".index"));
    }

    Result<void> read() {
        const auto visit = [&](const table::Entry& entry) -> Result<void> {
            if (entry.key.empty()) return readHeader(entry.value);
            MemoryMessage held(m_source.name(), entry.value);
            WB_TRY_ASSIGN(BundleEntry read, readEntry(held.message()));
            if (entry.key.front() == '\0') m_slices.emplace(std::string(entry.key), std::move(read));
            else m_entries.emplace_back(std::string(entry.key), std::move(read));
            return {};
        };
        WB_TRY(table::eachEntry(m_source, m_reading.findings, m_reading.options.progress, visit));
        if (m_entries.size() > m_reading.options.limits.tensorsPerFile)
            return m_reading.findings.refuse(ErrorCode::TooLarge, "tensorflow.tensor_count",
                                             WB_TEXT("{} contains more than {} tensors."), m_reading.options.limits.tensorsPerFile);
        for (const auto& [key, entry] : m_entries) m_reading.index.model.tensors.push_back(tensorFromKey(key, entry));
        return {};
    }

private:
    Result<void> readHeader(std::span<const std::byte> value) {
        MemoryMessage held(m_source.name(), value);
        Message header = held.message();
        while (true) {
            WB_TRY_ASSIGN(const bool more, header.next());
            if (!more) return {};
            if (header.is(1, Wire::Varint)) m_shards = header.number();
            else if (header.is(2, Wire::Varint)) m_reading.index.model.bigEndian = header.number() == 1;
        }
    }

    // The source that contains a shard; empty where it is missing.
    std::optional<std::uint32_t> shardFile(std::uint64_t shard) const {
        const std::string wanted = fmt::format("{}.data-{:05}-of-{:05}", m_prefix, shard, m_shards);
        for (std::uint32_t i = 0; i < m_reading.sources.size(); ++i)
            if (m_reading.sources[i]->name() == wanted) return i;
        return std::nullopt;
    }

    TensorInfo tensorFromKey(const std::string& key, const BundleEntry& entry) {
        TensorInfo tensor;
        tensor.name = toUtf8(key);
        if (tensor.name != key) tensor.rawName = key;
        const ElementType type = elementTypeFromNumber(entry.type);
        tensor.dtype = type.dtype;
        tensor.typeText = type.text;
        if (entry.shape) tensor.shape = *entry.shape;
        auto details = std::make_shared<TensorDetails>();
        details->group = m_prefix;
        if (!entry.boxes.empty()) details->notes.push_back(fragmentText(fragment::parts, entry.boxes.size()));
        tensor.details = std::move(details);
        tensor.source = TensorSource::stored(0, 0, 0);
        if (!entry.shape) makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
        else if (entry.boxes.empty()) place(tensor, entry);
        else placeBoxes(tensor, key, entry);
        return tensor;
    }

    void makeUnavailable(TensorInfo& tensor, const char* why) {
        m_reading.findings.add(Severity::Error, "tensorflow.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                               formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("tensorflow.values"), why);
    }

    void place(TensorInfo& tensor, const BundleEntry& entry) {
        const auto file = shardFile(entry.shard);
        tensor.source = TensorSource::stored(file.value_or(0), entry.offset, entry.bytes);
        if (!file) return makeUnavailable(tensor, WB_TEXT("the file that contains them is missing"));
        if (!io::Extent::make(m_reading.sources[*file]->size(), entry.offset, entry.bytes))
            return makeUnavailable(tensor, WB_TEXT("the file that contains them is too short"));
        if (tensor.dtype != Dtype::Unknown && rowBytes(tensor.dtype, tensor.shape.elements()) != entry.bytes)
            makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
    }

    void placeBoxes(TensorInfo& tensor, const std::string& key, const BundleEntry& entry) {
        std::vector<StoredBox> boxes;
        std::uint64_t bytes = 0;
        for (const Box& box : entry.boxes) {
            const auto part = m_slices.find(sliceKey(key, box));
            const auto file = part == m_slices.end() ? std::nullopt : shardFile(part->second.shard);
            if (!file) return makeUnavailable(tensor, WB_TEXT("some of them are missing"));
            if (!io::Extent::make(m_reading.sources[*file]->size(), part->second.offset, part->second.bytes))
                return makeUnavailable(tensor, WB_TEXT("the file that contains some of them is too short"));
            boxes.push_back({box, *file, part->second.offset, part->second.bytes});
            bytes += part->second.bytes;
        }
        if (tensor.dtype == Dtype::Unknown) return;
        auto pieces = slicePieces(tensor.shape, info(tensor.dtype).blockBytes, boxes);
        if (!pieces) return makeUnavailable(tensor, WB_TEXT("its components do not add up to the whole"));
        tensor.source = TensorSource::pieces(std::move(*pieces), bytes);
    }

    Reading& m_reading;
    const io::ByteSource& m_source;
    std::string m_prefix;
    std::uint64_t m_shards = 1;
    std::vector<std::pair<std::string, BundleEntry>> m_entries;
    std::map<std::string, BundleEntry> m_slices;
};

// A V1 checkpoint: the tensor in the entry without a key.
struct SavedTensor {
    std::string name;
    std::uint64_t type = 0;
    std::optional<Shape> shape;
};

class Version1 {
public:
    Version1(Reading& reading, std::uint32_t number) : m_reading(reading), m_source(*reading.sources[number]) {}

    Result<void> read() {
        WB_TRY(table::eachEntry(m_source, m_reading.findings, m_reading.options.progress,
                                [&](const table::Entry& entry) { return readSlices(entry.value); }));
        for (const SavedTensor& saved : m_saved) WB_TRY(addTensor(saved));
        return {};
    }

private:
    struct Part {
        Box box;
        ProtoTensor values;
        std::shared_ptr<MemoryMessage> held; // what the values are in
    };

    // SavedTensorSlices: meta 1, data 2.
    Result<void> readSlices(std::span<const std::byte> value) {
        auto held = std::make_shared<MemoryMessage>(m_source.name(), value);
        Message slices = held->message();
        while (true) {
            WB_TRY_ASSIGN(const bool more, slices.next());
            if (!more) return {};
            if (slices.wire() != Wire::Bytes) continue;
            WB_TRY_ASSIGN(const Message inner, slices.message());
            if (slices.field() == 1) WB_TRY(readMeta(inner));
            else if (slices.field() == 2) WB_TRY(readData(inner, held));
        }
    }

    Result<void> readMeta(Message meta) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, meta.next());
            if (!more) return {};
            if (!meta.is(1, Wire::Bytes)) continue;
            if (m_saved.size() >= m_reading.options.limits.tensorsPerFile)
                return m_reading.findings.refuse(ErrorCode::TooLarge, "tensorflow.tensor_count",
                                                 WB_TEXT("{} contains more than {} tensors."),
                                                 m_reading.options.limits.tensorsPerFile);
            WB_TRY_ASSIGN(Message tensor, meta.message());
            SavedTensor saved;
            while (true) {
                WB_TRY_ASSIGN(const bool moreOfIt, tensor.next());
                if (!moreOfIt) break;
                if (tensor.is(1, Wire::Bytes)) {
                    WB_TRY_ASSIGN(saved.name, tensor.text(64 << 10));
                } else if (tensor.is(2, Wire::Bytes)) {
                    WB_TRY_ASSIGN(const Message shape, tensor.message());
                    WB_TRY_ASSIGN(saved.shape, readShape(shape));
                } else if (tensor.is(3, Wire::Varint)) {
                    saved.type = tensor.number();
                }
            }
            m_saved.push_back(std::move(saved));
        }
    }

    Result<void> readData(Message data, const std::shared_ptr<MemoryMessage>& held) {
        std::string name;
        Part part;
        part.held = held;
        while (true) {
            WB_TRY_ASSIGN(const bool more, data.next());
            if (!more) break;
            if (data.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(name, data.text(64 << 10));
            } else if (data.is(2, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message slice, data.message());
                WB_TRY_ASSIGN(part.box, readBox(slice));
            } else if (data.is(3, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message tensor, data.message());
                WB_TRY_ASSIGN(part.values, readTensorProto(tensor, held->source(), formats::Index::maxCopied));
            }
        }
        m_parts[name].push_back(std::move(part));
        return {};
    }

    // The values have no type and no shape.
    Result<void> addTensor(const SavedTensor& saved) {
        TensorInfo whole;
        whole.name = toUtf8(saved.name);
        const ElementType type = elementTypeFromNumber(saved.type);
        whole.dtype = type.dtype;
        whole.typeText = type.text;
        if (saved.shape) whole.shape = *saved.shape;
        whole.source = TensorSource::stored(0, 0, 0);
        auto parts = m_parts.find(saved.name);
        const auto unavailable = [&](const char* why) {
            m_reading.findings.add(Severity::Error, "tensorflow.values", std::nullopt,
                                   WB_TEXT("{}: cannot read the values of {}: {}."), formats::shown(whole.name), why);
            whole.source.makeUnavailable(Reason("tensorflow.values"), why);
        };
        if (!saved.shape) unavailable(WB_TEXT("its shape is invalid"));
        else if (parts == m_parts.end()) unavailable(WB_TEXT("they are not in this file"));
        else if (type.dtype != Dtype::Unknown) join(whole, parts->second, unavailable);
        m_reading.index.model.tensors.push_back(std::move(whole));
        return {};
    }

    template <class Unavailable>
    void join(TensorInfo& whole, const std::vector<Part>& parts, const Unavailable& unavailable) {
        const std::uint64_t width = info(whole.dtype).blockBytes;
        std::vector<StoredBox> boxes;
        for (const Part& part : parts) {
            std::vector<std::uint64_t> sides;
            for (std::size_t axis = 0; axis < part.box.size() && axis < whole.shape.rank(); ++axis)
                sides.push_back(part.box[axis].length < 0 ? whole.shape[axis] : static_cast<std::uint64_t>(part.box[axis].length));
            const auto shape = Shape::make(sides);
            if (!shape || part.box.size() != whole.shape.rank()) return unavailable(WB_TEXT("some of them are out of bounds"));
            ProtoTensor values = part.values;
            values.shape = shape;
            values.type = 0;
            for (std::uint64_t number = 1; number < 31 && values.type == 0; ++number)
                if (elementTypeFromNumber(number).dtype == whole.dtype) values.type = number;
            const TensorInfo piece =
                makeTensor(whole.name, values, {part.held->source(), std::nullopt}, m_reading.index, m_reading.findings);
            if (piece.source.form() != TensorSource::Form::Stored) return unavailable(WB_TEXT("some of them cannot be read"));
            boxes.push_back({part.box, piece.file(), *piece.offset(), piece.bytes()});
        }
        auto pieces = slicePieces(whole.shape, width, boxes);
        if (!pieces) return unavailable(WB_TEXT("its components do not add up to the whole"));
        const std::uint64_t bytes = whole.shape.elements() * width;
        if (pieces->size() == 1) whole.source = TensorSource::stored(pieces->front().file, pieces->front().offset, bytes);
        else if (!pieces->empty()) whole.source = TensorSource::pieces(std::move(*pieces), bytes);
    }

    Reading& m_reading;
    const io::ByteSource& m_source;
    std::vector<SavedTensor> m_saved;
    std::map<std::string, std::vector<Part>> m_parts;
};

} // namespace

Result<void> readBundle(Reading& reading, std::uint32_t number) { return Bundle(reading, number).read(); }

Result<void> readVersion1(Reading& reading, std::uint32_t number) { return Version1(reading, number).read(); }

// The header of a bundle starts with a number of shards, that of a V1 checkpoint with a message.
Result<void> readTable(Reading& reading, std::uint32_t number) {
    bool isVersion1 = false, isDone = false;
    formats::Findings ignored(reading.sources[number]->name(), formats::Strictness::Lenient);
    const auto look = [&](const table::Entry& entry) -> Result<void> {
        if (isDone) return {};
        isDone = true;
        MemoryMessage held(reading.sources[number]->name(), entry.value);
        Message header = held.message();
        WB_TRY_ASSIGN(const bool more, header.next());
        isVersion1 = entry.key.empty() && more && header.is(1, Wire::Bytes);
        return {};
    };
    WB_TRY(table::eachEntry(*reading.sources[number], ignored, reading.options.progress, look));
    reading.index.model.format = FormatId::TfCheckpoint;
    reading.index.model.version = isVersion1 ? "V1" : "V2";
    return isVersion1 ? readVersion1(reading, number) : readBundle(reading, number);
}

} // namespace wb::tensorflow

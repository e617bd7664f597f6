// SPDX-License-Identifier: MIT
#include "core/formats/caffe/caffe.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/proto/proto.h"

#include <array>
#include <map>
#include <set>

namespace wb::caffe {
namespace {

using proto::Message;
using proto::Wire;

constexpr formats::Tasks taskNames{"caffe.index"};
constexpr std::uint64_t maxName = 64 << 10;
constexpr std::uint32_t oldLayers = 2, newLayers = 100;

// Where a kind of layer message has its fields.
struct LayerFields {
    std::uint32_t name, type, blobs;
};
constexpr LayerFields fieldsFromLayer(std::uint32_t list) {
    return list == newLayers ? LayerFields{1, 2, 7} : LayerFields{4, 5, 6};
}

class Reader {
public:
    Reader(const io::ByteSource& source, const formats::OpenOptions& options)
        : m_source(source), m_options(options), m_findings(source.name(), options.strictness), m_index(1) {}

    Result<formats::Index> read() {
        io::Cursor cursor(m_source);
        Message network(cursor, m_source.size(), m_source.name());
        std::string name;
        while (true) {
            WB_TRY_ASSIGN(const bool more, network.next());
            if (!more) break;
            if (network.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(name, network.text(maxName));
            } else if (network.is(oldLayers, Wire::Bytes) || network.is(newLayers, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message layer, network.message());
                WB_TRY(readLayer(layer, fieldsFromLayer(network.field())));
            }
        }
        Model& model = m_index.model;
        model.format = FormatId::Caffe;
        const auto add = [&](const char* key, Value value) { model.metadata.members.push_back({key, std::move(value)}); };
        add("name", Value::of(toUtf8(name)));
        add("layers", Value::ofUnsigned(ValueType::U64, m_layers));
        ValueObject counts;
        for (const auto& [type, count] : m_counts) counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
        counts.count = counts.members.size();
        add("types", Value::of(std::move(counts)));
        model.metadata.count = model.metadata.members.size();
        model.problems = m_findings.take();
        return std::move(m_index);
    }

private:
    struct Blob {
        std::vector<std::uint64_t> sides, oldSides;
        std::uint64_t begin = 0, bytes = 0;
        bool isDouble = false, isWhole = true;
    };

    Result<void> readLayer(Message layer, const LayerFields& fields) {
        if (m_options.progress.stop.stop_requested()) return std::unexpected(canceled());
        ++m_layers;
        std::string name, type;
        std::vector<Blob> blobs;
        while (true) {
            WB_TRY_ASSIGN(const bool more, layer.next());
            if (!more) break;
            if (layer.is(fields.name, Wire::Bytes)) {
                WB_TRY_ASSIGN(name, layer.text(maxName));
            } else if (layer.is(fields.type, Wire::Bytes)) {
                WB_TRY_ASSIGN(type, layer.text(maxName));
            } else if (layer.is(fields.type, Wire::Varint)) {
                type = fmt::format("type {}", layer.number());
            } else if (layer.is(fields.blobs, Wire::Bytes)) {
                WB_TRY_ASSIGN(const Message blob, layer.message());
                WB_TRY_ASSIGN(Blob one, readBlob(blob));
                blobs.push_back(std::move(one));
            }
        }
        if (m_counts.size() < 1000) ++m_counts[toUtf8(type)];
        for (std::size_t i = 0; i < blobs.size(); ++i) WB_TRY(addTensor(fmt::format("{}.{}", toUtf8(name), i), blobs[i]));
        return {};
    }

    // num 1, channels 2, height 3, width 4, data 5, shape 7 {dim 1}, double_data 8.
    static Result<Blob> readBlob(Message blob) {
        Blob out;
        out.oldSides = {1, 1, 1, 1};
        while (true) {
            WB_TRY_ASSIGN(const bool more, blob.next());
            if (!more) return out;
            if (blob.field() <= 4 && blob.wire() == Wire::Varint) out.oldSides[blob.field() - 1] = blob.number();
            if (blob.is(7, Wire::Bytes)) {
                WB_TRY_ASSIGN(Message shape, blob.message());
                while (true) {
                    WB_TRY_ASSIGN(const bool any, shape.next());
                    if (!any) break;
                    if (shape.field() == 1) WB_TRY(shape.appendNumbers(out.sides, Wire::Varint, Shape::maximumRank));
                }
            }
            if (blob.field() != 5 && blob.field() != 8) continue;
            // Numbers that are not packed, or come in several lists, are not in one run.
            out.isWhole = out.isWhole && blob.wire() == Wire::Bytes && out.bytes == 0;
            out.isDouble = blob.field() == 8;
            out.begin = blob.begin();
            out.bytes += blob.wire() == Wire::Bytes ? blob.length() : (out.isDouble ? 8 : 4);
        }
    }

    Result<void> addTensor(std::string name, const Blob& blob) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::TooLarge, "caffe.tensor_count", WB_TEXT("{} contains more than {} tensors."),
                                     m_options.limits.tensorsPerFile);
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = blob.isDouble ? Dtype::F64 : Dtype::F32;
        tensor.source = TensorSource::stored(0, blob.begin, blob.bytes);
        const auto shape = Shape::make(blob.sides.empty() ? blob.oldSides : blob.sides);
        if (shape) tensor.shape = *shape;
        const char* why = nullptr;
        if (!shape) why = WB_TEXT("its shape is invalid");
        else if (!blob.isWhole) why = WB_TEXT("they are not in one piece");
        else if (storedBytes(tensor.dtype, shape->elements()) != blob.bytes) why = WB_TEXT("their count does not match the shape");
        if (why) {
            m_findings.add(Severity::Error, "caffe.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                           formats::shown(tensor.name), why);
            tensor.source.makeUnavailable(Reason("caffe.values"), why);
        }
        m_index.model.tensors.push_back(std::move(tensor));
        return {};
    }

    const io::ByteSource& m_source;
    const formats::OpenOptions& m_options;
    formats::Findings m_findings;
    formats::Index m_index;
    std::uint64_t m_layers = 0;
    std::map<std::string, std::uint64_t> m_counts;
};

// Whether the message has the name and the type of a layer.
bool isLayer(const Message& message, const LayerFields& fields) {
    Message layer = message;
    bool hasName = false, hasType = false;
    while (true) {
        const auto more = layer.next();
        if (!more) return false;
        if (!*more) return hasName && hasType;
        hasName = hasName || layer.is(fields.name, Wire::Bytes);
        hasType = hasType || layer.is(fields.type, fields.type == 2 ? Wire::Bytes : Wire::Varint);
    }
}

} // namespace

bool sniff(const io::ByteSource& source) {
    io::Cursor cursor(source);
    Message network(cursor, source.size(), source.name());
    bool hasLayer = false;
    constexpr std::uint64_t most = 1 << 20;
    for (std::uint64_t count = 0; count < most; ++count) {
        const auto more = network.next();
        if (!more) return false;
        if (!*more) return hasLayer;
        const bool isList = network.is(oldLayers, Wire::Bytes) || network.is(newLayers, Wire::Bytes);
        const bool isOther = network.field() <= 8 && network.field() != oldLayers;
        if (!isList && !isOther) return false;
        if (!isList || hasLayer) continue;
        const auto layer = network.message();
        if (!layer || !isLayer(*layer, fieldsFromLayer(network.field()))) return false;
        hasLayer = true;
    }
    return false;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    return Reader(*sources.at(0), options).read();
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::caffe

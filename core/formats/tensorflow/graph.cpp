// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/tensorflow/parts.h"

namespace wb::tensorflow {
namespace {

using proto::Message;
using proto::Wire;

constexpr std::uint64_t longestName = 64 << 10;

class Graph {
public:
    Graph(Reading& reading, const ValuePlace& place) : m_reading(reading), m_place(place) {}

    Result<void> readGraph(Message graph) {
        while (true) {
            if (m_reading.options.progress.stop.stop_requested()) return std::unexpected(canceled());
            WB_TRY_ASSIGN(const bool more, graph.next());
            if (!more) return {};
            if (graph.wire() != Wire::Bytes || (graph.field() != 1 && graph.field() != 2)) continue;
            WB_TRY_ASSIGN(const Message inner, graph.message());
            if (graph.field() == 1) WB_TRY(readNode(inner, ""));
            else WB_TRY(readLibrary(inner));
        }
    }

private:
    // FunctionDefLibrary.function 1: signature 1 {name 1}, node_def 3.
    Result<void> readLibrary(Message library) {
        while (true) {
            WB_TRY_ASSIGN(const bool more, library.next());
            if (!more) return {};
            if (!library.is(1, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(Message function, library.message());
            std::string name;
            while (true) {
                WB_TRY_ASSIGN(const bool moreOfIt, function.next());
                if (!moreOfIt) break;
                if (function.is(1, Wire::Bytes)) {
                    WB_TRY_ASSIGN(Message signature, function.message());
                    while (true) {
                        WB_TRY_ASSIGN(const bool moreOfSignature, signature.next());
                        if (!moreOfSignature) break;
                        if (!signature.is(1, Wire::Bytes)) continue;
                        WB_TRY_ASSIGN(name, signature.text(longestName));
                    }
                } else if (function.is(3, Wire::Bytes)) {
                    WB_TRY_ASSIGN(const Message node, function.message());
                    WB_TRY(readNode(node, name + "/"));
                }
            }
        }
    }

    // name 1, op 2, attr 5: only a Const has a value that is a weight.
    Result<void> readNode(Message node, const std::string& prefix) {
        std::string name, type;
        std::optional<ProtoTensor> value;
        while (true) {
            WB_TRY_ASSIGN(const bool more, node.next());
            if (!more) break;
            if (node.wire() != Wire::Bytes) continue;
            if (node.field() == 1) {
                WB_TRY_ASSIGN(name, node.text(longestName));
            } else if (node.field() == 2) {
                WB_TRY_ASSIGN(type, node.text(longestName));
            } else if (node.field() == 5) {
                WB_TRY_ASSIGN(const Message attribute, node.message());
                WB_TRY(readAttribute(attribute, value));
            }
        }
        ++m_nodes;
        m_reading.operators.insert(type);
        if (type != "Const" || !value) return {};
        if (m_reading.index.model.tensors.size() >= m_reading.options.limits.tensorsPerFile)
            return m_reading.findings.refuse(ErrorCode::TooLarge, "tensorflow.tensor_count",
                                             WB_TEXT("{} contains more than {} tensors."), m_reading.options.limits.tensorsPerFile);
        m_reading.index.model.tensors.push_back(
            makeTensor(toUtf8(prefix + name), *value, m_place, m_reading.index, m_reading.findings));
        return {};
    }

    // A pair of a map: key 1, value 2, an AttrValue whose tensor is 8.
    Result<void> readAttribute(Message attribute, std::optional<ProtoTensor>& value) {
        std::string key;
        while (true) {
            WB_TRY_ASSIGN(const bool more, attribute.next());
            if (!more) return {};
            if (attribute.is(1, Wire::Bytes)) {
                WB_TRY_ASSIGN(key, attribute.text(longestName));
            } else if (attribute.is(2, Wire::Bytes) && key == "value") {
                WB_TRY_ASSIGN(Message held, attribute.message());
                while (true) {
                    WB_TRY_ASSIGN(const bool moreOfIt, held.next());
                    if (!moreOfIt) break;
                    if (!held.is(8, Wire::Bytes)) continue;
                    WB_TRY_ASSIGN(const Message tensor, held.message());
                    WB_TRY_ASSIGN(value, readTensorProto(tensor, m_place.source, formats::Index::maxCopied));
                }
            }
        }
    }

    Reading& m_reading;
    const ValuePlace& m_place;
    std::uint64_t m_nodes = 0;
};

} // namespace

Result<void> readGraphMessage(Reading& reading, Message graph, const ValuePlace& place) {
    return Graph(reading, place).readGraph(graph);
}

Result<void> readGraph(Reading& reading, std::uint32_t number) {
    const io::ByteSource& source = *reading.sources[number];
    io::Cursor cursor(source);
    return readGraphMessage(reading, Message(cursor, source.size(), source.name()), {source, number});
}

// meta_graphs 2: graph_def 2.
Result<void> readSavedModel(Reading& reading, std::uint32_t number) {
    const io::ByteSource& source = *reading.sources[number];
    io::Cursor cursor(source);
    Message saved(cursor, source.size(), source.name());
    while (true) {
        WB_TRY_ASSIGN(const bool more, saved.next());
        if (!more) return {};
        if (!saved.is(2, Wire::Bytes)) continue;
        WB_TRY_ASSIGN(Message meta, saved.message());
        while (true) {
            WB_TRY_ASSIGN(const bool moreOfIt, meta.next());
            if (!moreOfIt) break;
            if (!meta.is(2, Wire::Bytes)) continue;
            WB_TRY_ASSIGN(const Message graph, meta.message());
            WB_TRY(readGraphMessage(reading, graph, {source, number}));
        }
    }
}

Result<void> readText(Reading& reading, std::uint32_t number) {
    const io::ByteSource& file = *reading.sources[number];
    if (file.size() > reading.options.limits.jsonText)
        return reading.findings.refuse(ErrorCode::TooLarge, "tensorflow.text",
                                       WB_TEXT("{} exceeds the size limit for a text graph."));
    std::string text(file.size(), '\0');
    WB_TRY(file.readAt(0, std::as_writable_bytes(std::span(text))));
    WB_TRY_ASSIGN(auto binary, binaryFromText(text, file.name()));
    const io::MemorySource source(file.name(), std::move(binary));
    io::Cursor cursor(source);
    return readGraphMessage(reading, Message(cursor, source.size(), source.name()), {source, std::nullopt});
}

} // namespace wb::tensorflow

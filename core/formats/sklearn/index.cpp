// SPDX-License-Identifier: MIT
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/pickle/key_text.h"
#include "core/formats/pickle/report.h"
#include "core/formats/pickle/visits.h"
#include "core/formats/sklearn/array_value.h"
#include "core/formats/sklearn/inline_arrays.h"
#include "core/formats/sklearn/sklearn.h"
#include "core/formats/stream/stream.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace wb::sklearn {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::Pair;

constexpr std::uint64_t maxUnpacked = 1ull << 30;

// Where the bytes of a pickle are for a tensor: in the file itself, or in what it unpacks to.
struct ArrayPlace {
    std::uint32_t file = 0;
    const io::ByteSource& pickle;
};

class Lister {
public:
    Lister(const Graph& graph, const InlineArrays& inlined, const ArrayPlace& place, formats::Index& index,
           formats::Findings& findings, const formats::OpenOptions& options)
        : m_graph(graph), m_arrays(graph, inlined), m_place(place), m_index(index), m_findings(findings), m_options(options),
          m_visits(graph) {}

    void list(NodeId root) { walk(root, "", 0); }

private:
    static constexpr int deepest = 64;

    static std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

    std::string keyText(NodeId key) const { return toUtf8(pickle::keyText(m_graph, key, 200)); }

    void walk(NodeId node, const std::string& path, int depth) {
        if (!m_visits.step() || depth > deepest || m_isFull) return;
        if (const auto array = m_arrays.read(node)) return walkArray(node, *array, path, depth);
        switch (m_graph.kind(node)) {
        case NodeKind::Dict: return enter(node, path, [&] { walkPairs(m_graph.pairs(node), path, depth); });
        case NodeKind::List:
        case NodeKind::Tuple:
        case NodeKind::Set: return enter(node, path, [&] { walkItems(m_graph.items(node), path, depth); });
        case NodeKind::Call: return enter(node, path, [&] { walkObject(node, path, depth); });
        default: keepValue(node, path);
        }
    }

    // An array of objects that contain arrays is a container of these.
    void walkArray(NodeId node, const ArrayValue& array, const std::string& path, int depth) {
        const auto objects = m_graph.items(array.objects);
        if (std::ranges::none_of(objects, [&](NodeId object) { return isContainer(object); })) return add(array, path);
        if (array.shape.empty() && objects.size() == 1) return walk(objects[0], path, depth + 1);
        enter(node, path, [&] { walkItems(objects, path, depth); });
    }

    bool isContainer(NodeId node) const {
        const NodeKind kind = m_graph.kind(node);
        return kind == NodeKind::Dict || kind == NodeKind::List || kind == NodeKind::Tuple || kind == NodeKind::Call;
    }

    template <typename Content>
    void enter(NodeId container, const std::string& path, Content walkContent) {
        if (m_visits.reference(container) != nullptr || !m_visits.enter(container, path)) return;
        walkContent();
        m_visits.leave();
    }

    void walkPairs(const std::vector<Pair>& pairs, const std::string& path, int depth) {
        for (const Pair& pair : pairs) {
            if (m_visits.isExhausted()) return;
            walk(pair.value, joined(path, keyText(pair.key)), depth + 1);
        }
    }

    void walkItems(const std::vector<NodeId>& items, const std::string& path, int depth) {
        for (std::size_t i = 0; i < items.size() && !m_visits.isExhausted(); ++i)
            walk(items[i], joined(path, std::to_string(i)), depth + 1);
    }

    // A list of pairs of a name and an object: the steps of a pipeline, which are under their own names.
    bool isNamedSteps(NodeId node) const {
        if (!m_graph.is(node, NodeKind::List)) return false;
        const auto items = m_graph.items(node, 1000);
        return !items.empty() && std::ranges::all_of(items, [&](NodeId item) {
            const auto pair = m_graph.is(item, NodeKind::Tuple) ? m_graph.items(item, 3) : std::vector<NodeId>();
            return pair.size() == 2 && m_graph.is(pair[0], NodeKind::Text) && m_graph.is(pair[1], NodeKind::Call);
        });
    }

    void walkState(NodeId state, const std::string& path, int depth) {
        if (!m_visits.step() || depth > deepest) return;
        if (m_graph.is(state, NodeKind::Tuple)) { // attributes and slots, or what its own class makes of it
            for (const NodeId item : m_graph.items(state, 64)) walkState(item, path, depth + 1);
            return;
        }
        if (!m_graph.is(state, NodeKind::Dict)) return;
        for (const Pair& pair : m_graph.pairs(state)) {
            const std::string name = joined(path, keyText(pair.key));
            if (!isNamedSteps(pair.value)) {
                walk(pair.value, name, depth + 1);
                continue;
            }
            for (const NodeId item : m_graph.items(pair.value)) {
                const auto step = m_graph.items(item, 2);
                walk(step[1], joined(path, keyText(step[0])), depth + 1);
            }
        }
    }

    void walkObject(NodeId node, const std::string& path, int depth) {
        if (!m_entered.insert(node).second) return; // an object that several attributes hold is listed once
        if (m_graph.is(m_graph.callee(node), NodeKind::Global) && path.empty()) {
            const auto& global = m_graph.global(m_graph.callee(node));
            addMetadata("class", Value::of(toUtf8(global.module) + "." + toUtf8(global.name)));
        }
        walkPairs(m_graph.callPairs(node), path, depth);
        walkItems(m_graph.callItems(node), path, depth);
        for (const NodeId state : m_graph.states(node)) walkState(state, path, depth);
        // A container whose content is an argument: OrderedDict([…]), a tree's parts.
        if (m_graph.states(node).empty() && m_graph.callPairs(node).empty() && m_graph.callItems(node).empty())
            for (const NodeId item : m_graph.items(m_graph.arguments(node), 16))
                if (m_graph.is(item, NodeKind::Dict) || m_graph.is(item, NodeKind::List) || m_graph.is(item, NodeKind::Call))
                    walk(item, path, depth + 1);
    }

    void addMetadata(const std::string& path, Value value) {
        constexpr std::size_t most = 4096;
        auto& members = m_index.model.metadata.members;
        if (members.size() < most) members.push_back({path.empty() ? "value" : path, std::move(value)});
    }

    void keepValue(NodeId node, const std::string& path) {
        switch (m_graph.kind(node)) {
        case NodeKind::Bool: return addMetadata(path, Value::of(m_graph.flag(node)));
        case NodeKind::Int: return addMetadata(path, Value::ofSigned(ValueType::I64, m_graph.integer(node)));
        case NodeKind::Float: return addMetadata(path, Value::ofFloat(ValueType::F64, m_graph.real(node)));
        case NodeKind::Text: return addMetadata(path, Value::of(toUtf8(m_graph.text(node).substr(0, 4096))));
        default: return;
        }
    }

    void add(const ArrayValue& array, const std::string& path) {
        if (m_index.model.tensors.size() >= m_options.limits.tensorsPerFile) {
            m_isFull = true;
            m_findings.add(Severity::Error, "pickle.tensor_count", std::nullopt,
                           WB_TEXT("{} contains more than {} arrays; the rest is not listed."), m_options.limits.tensorsPerFile);
            return;
        }
        TensorInfo tensor;
        tensor.name = path.empty() ? "array" : path;
        tensor.dtype = array.type.dtype;
        if (tensor.dtype == Dtype::Unknown)
            tensor.typeText = array.type.holdsObjects            ? "objects"
                              : array.type.text.starts_with('U') ? "STRING"
                                                                 : toUtf8(array.type.text);
        const auto shape = Shape::make(array.shape);
        if (shape) tensor.shape = *shape;
        place(tensor, array, shape.has_value());
        m_index.model.tensors.push_back(std::move(tensor));
    }

    void unavailable(TensorInfo& tensor, const char* why) {
        m_findings.add(Severity::Warning, "pickle.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                       formats::shown(tensor.name), why);
        tensor.source.makeUnavailable(Reason("pickle.values"), why);
    }

    void place(TensorInfo& tensor, const ArrayValue& array, bool hasShape) {
        tensor.source = TensorSource::stored(m_place.file, array.extent ? array.extent->offset() : 0,
                                             array.extent ? array.extent->length() : 0);
        if (array.type.holdsObjects) return unavailable(tensor, WB_TEXT("they are Python objects"));
        if (!hasShape) return unavailable(tensor, WB_TEXT("its shape is invalid"));
        if (tensor.dtype == Dtype::Unknown) return;
        const auto bytes = checked::mul(tensor.shape.elements(), array.type.bytes);
        if (!bytes) return unavailable(tensor, WB_TEXT("its shape is invalid"));
        if (array.hasCopy) {
            if (array.copied.size() != *bytes) return unavailable(tensor, WB_TEXT("their count does not match the shape"));
            return copy(tensor, array, array.copied);
        }
        if (*bytes == 0) return copy(tensor, array, {});
        if (!array.extent) return unavailable(tensor, WB_TEXT("they are not in this file"));
        if (array.extent->length() != *bytes) return unavailable(tensor, WB_TEXT("their count does not match the shape"));
        const std::uint64_t width = numberBytes(array);
        std::uint32_t file = m_place.file;
        const std::uint64_t begin = array.extent->offset();
        if (array.type.isBigEndian && width > 1) {
            if (m_place.file != 0) { // only files of the model can be shown turned round
                std::vector<std::byte> values(*bytes);
                if (!m_place.pickle.readAt(begin, values)) return unavailable(tensor, WB_TEXT("they cannot be read"));
                return copy(tensor, array, values);
            }
            file = m_index.addSwapped(0, begin, begin + *bytes, width);
        }
        setSource(tensor, array, file, begin, *bytes);
    }

    static std::uint64_t numberBytes(const ArrayValue& array) {
        return info(array.type.dtype).kind == DtypeKind::Complex ? array.type.bytes / 2 : array.type.bytes;
    }

    void copy(TensorInfo& tensor, const ArrayValue& array, std::vector<std::byte> values) {
        const std::uint64_t width = numberBytes(array);
        if (array.type.isBigEndian && width > 1)
            for (std::size_t i = 0; i + width <= values.size(); i += width)
                std::ranges::reverse(std::span(values).subspan(i, width));
        const auto source = m_index.copy(values);
        if (!source) return unavailable(tensor, WB_TEXT("too much data would have to be copied from the file"));
        setSource(tensor, array, source->place().file, *source->place().offset, values.size());
    }

    static void setSource(TensorInfo& tensor, const ArrayValue& array, std::uint32_t file, std::uint64_t begin,
                          std::uint64_t bytes) {
        if (!array.isColumnMajor || tensor.shape.rank() < 2 || bytes == 0) {
            tensor.source = TensorSource::stored(file, begin, bytes);
            return;
        }
        std::vector<std::uint64_t> strides;
        std::uint64_t stride = 1;
        for (const std::uint64_t side : tensor.shape.dimensions()) {
            strides.push_back(stride);
            stride *= side;
        }
        tensor.source = TensorSource::strided(file, begin, std::move(strides), bytes);
    }

    const Graph& m_graph;
    ArrayReading m_arrays;
    const ArrayPlace& m_place;
    formats::Index& m_index;
    formats::Findings& m_findings;
    const formats::OpenOptions& m_options;
    std::set<NodeId> m_entered;
    pickle::Visits m_visits;
    bool m_isFull = false;
};

// Notes where joblib put the bytes of an array, and returns the number of bytes to skip; the rest if unknown.
std::uint64_t passInline(const Graph& graph, NodeId object, std::uint64_t position, const io::ByteSource& source,
                         InlineArrays& inlined, const formats::OpenOptions& options) {
    const InlineArray array = inlineArray(graph, object, position, source);
    switch (array.kind) {
    case InlineArray::Kind::None: return 0;
    case InlineArray::Kind::Unknown: return pickle::Machine::unknownSkip;
    case InlineArray::Kind::Values: inlined.emplace(object, array.values); return array.passed;
    case InlineArray::Kind::Objects: break;
    }
    pickle::Machine nested(source, options.limits);
    const auto stream = nested.run(position, options.progress);
    return stream ? stream->end - position : pickle::Machine::unknownSkip;
}

// joblib alone writes these around a pickle; the others are their own tools as well.
bool isPackedByJoblib(stream::StreamKind packed) {
    return packed == stream::StreamKind::Joblib || packed == stream::StreamKind::Zlib;
}

Result<void> readPickle(const ArrayPlace& place, std::uint64_t begin, stream::StreamKind packed, formats::Index& index,
                        formats::Findings& findings, const formats::OpenOptions& options) {
    InlineArrays inlined;
    pickle::Machine machine(place.pickle, options.limits);
    machine.setAfterBuild([&](const Graph& graph, NodeId object, std::uint64_t position) {
        return passInline(graph, object, position, place.pickle, inlined, options);
    });
    Danger danger;
    ScannedFile file;
    file.path = findings.file();
    file.format = "pickle";
    std::uint64_t at = begin;
    std::uint32_t streams = 0;
    // The data after a pickle are another pickle: only the first is what a loader gives, but all may be loaded.
    constexpr std::uint32_t maxStreams = 64;
    while (at < place.pickle.size() && streams < maxStreams) {
        WB_TRY_ASSIGN(const pickle::Stream stream, machine.run(at, options.progress));
        if (streams == 0 && !stream.isComplete && stream.opcodes < 2)
            return findings.refuse(ErrorCode::Unknown, "pickle.none", WB_TEXT("{} is not a valid pickle."));
        if (streams > 0 && !stream.isComplete && stream.opcodes < 4) break; // padding
        pickle::addStream(machine.graph(), stream, 0, streams, 0, file, danger);
        file.isIncomplete = file.isIncomplete || !stream.isComplete;
        if (!stream.isComplete)
            findings.add(Severity::Error, "pickle.broken", stream.defects.empty() ? stream.end : stream.defects.front().position,
                         WB_TEXT("{}: the pickle is truncated or invalid at byte {}."),
                         stream.defects.empty() ? stream.end : stream.defects.front().position);
        if (streams == 0) index.model.version = fmt::format("protocol {}", stream.protocol);
        Lister lister(machine.graph(), inlined, place, index, findings, options);
        lister.list(stream.root);
        ++streams;
        if (stream.end <= at) break;
        at = stream.end;
    }
    if (streams == 0) return findings.refuse(ErrorCode::Unknown, "pickle.none", WB_TEXT("{} is not a valid pickle."));
    if (at < place.pickle.size() && packed == stream::StreamKind::None && streams < maxStreams)
        findings.add(Severity::Note, "pickle.trailing", at, WB_TEXT("{}: {} bytes follow the pickle."), place.pickle.size() - at);
    const bool isJoblib = !inlined.empty() || isPackedByJoblib(packed) || findings.file().find(".joblib") != std::string::npos;
    index.model.format = isJoblib ? FormatId::Joblib : FormatId::Pickle;
    file.streams = streams;
    danger.files.push_back(std::move(file));
    index.model.danger = std::make_shared<const Danger>(std::move(danger));
    return {};
}

} // namespace

bool sniff(std::span<const std::byte> head) {
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(head[i]); };
    if (head.size() > 2 && byte(0) == 0x80 && byte(1) >= 2 && byte(1) <= 5) return true;
    return stream::sniff(head) != stream::StreamKind::None;
}

bool sniffUnmarked(std::span<const std::byte> head, std::span<const std::byte> tail) {
    constexpr std::string_view begins = "(]})cl"; // containers and names; plain numbers and texts are not a model
    return head.size() > 2 && !tail.empty() && tail.back() == std::byte{'.'} &&
           begins.find(static_cast<char>(head[0])) != std::string_view::npos;
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    formats::Index index(1);
    formats::Findings findings(source.name(), options.strictness);
    std::vector<std::byte> head(std::min<std::uint64_t>(source.size(), 64));
    WB_TRY(source.readAt(0, head));
    const stream::StreamKind kind = wish.empty() ? stream::sniff(head) : stream::StreamKind::None;
    if (kind == stream::StreamKind::None) {
        std::uint64_t begin = 0;
        std::from_chars(wish.data(), wish.data() + wish.size(), begin); // of the parent, which is trusted
        WB_TRY(readPickle({0, source}, begin, kind, index, findings, options));
    } else {
        auto content = stream::unpack(source, kind, maxUnpacked, options.progress);
        // Two bytes of any text may look like the beginning of these.
        const bool isCertain = kind != stream::StreamKind::Zlib && kind != stream::StreamKind::Lzma;
        if (!content && !isCertain && content.error().code == ErrorCode::Malformed) content.error().code = ErrorCode::Unknown;
        if (!content) return std::unexpected(content.error());
        std::vector<std::byte> bytes = std::move(*content);
        if (bytes.size() < 3 || bytes[0] != std::byte{0x80})
            return findings.refuse(
                ErrorCode::Unknown, "pickle.other",
                WB_TEXT("{} is compressed, and its contents are not a pickle; decompress it and open the result."));
        const io::MemorySource unpacked(source.name(), std::move(bytes));
        const std::uint32_t file = index.addUnpacked(0, {static_cast<std::byte>(kind)}, unpacked.size());
        WB_TRY(readPickle({file, unpacked}, 0, kind, index, findings, options));
        index.model.metadata.members.push_back({"compression", Value::of(std::string(stream::name(kind)))});
    }
    index.model.metadata.count = index.model.metadata.members.size();
    index.model.problems = findings.take();
    if (options.strictness == formats::Strictness::Strict)
        for (const Problem& problem : index.model.problems)
            if (problem.severity == Severity::Error) return std::unexpected(asError(ErrorCode::Malformed, problem));
    return index;
}

Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out) {
    const auto kind = spec.size() == 1 && std::to_integer<unsigned>(spec[0]) <= static_cast<unsigned>(stream::StreamKind::Joblib)
                          ? static_cast<stream::StreamKind>(spec[0])
                          : stream::StreamKind::None;
    WB_TRY_ASSIGN(const auto bytes, stream::unpack(source, kind, maxUnpacked, {}));
    if (!io::Extent::make(bytes.size(), offset, out.size()))
        return fail(ErrorCode::Changed, Reason("pickle.unpacked"), About{source.name()},
                    WB_TEXT("{} decompresses to less data than when it was opened."), source.name());
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
}

} // namespace wb::sklearn

// SPDX-License-Identifier: MIT
#include "core/formats/dcp/metadata.h"

#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/report.h"
#include "core/formats/torch/object_values.h"

#include <unordered_map>

namespace wb::dcp {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using torch::attribute;

std::uint64_t numberAt(const Graph& graph, NodeId node) {
    const auto number = graph.number(node);
    return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

class MetadataReading {
public:
    explicit MetadataReading(const Graph& graph) : m_graph(graph) {}

    MetadataFile read(NodeId root) {
        readTensors(attribute(m_graph, root, "state_dict_metadata"));
        readSlices(attribute(m_graph, root, "storage_data"));
        readPaths(attribute(m_graph, root, "planner_data"));
        const NodeId version = attribute(m_graph, root, "version");
        if (m_graph.is(version, NodeKind::Text)) m_out.version = torch::nameAt(m_graph, version);
        return std::move(m_out);
    }

private:
    bool isFull() {
        m_out.isIncomplete = m_out.isIncomplete || ++m_read > maxRecords;
        return m_read > maxRecords;
    }

    void readTensors(NodeId dictionary) {
        for (const pickle::Pair& pair : torch::entries(m_graph, dictionary)) {
            if (isFull()) return;
            const std::string name = torch::nameAt(m_graph, pair.key);
            if (torch::className(m_graph, pair.value) == "TensorStorageMetadata") readTensor(name, pair.value);
            else m_out.objects.push_back(name);
        }
    }

    void readTensor(const std::string& name, NodeId node) {
        TensorRecord record;
        record.name = name;
        const auto size = torch::sizesAt(m_graph, attribute(m_graph, node, "size"));
        const auto shape = size ? Shape::make(*size) : std::nullopt;
        if (!shape) {
            m_out.isIncomplete = true;
            return;
        }
        record.size = *shape;
        record.type = propertiesType(attribute(m_graph, node, "properties"));
        for (const NodeId chunk : m_graph.items(attribute(m_graph, node, "chunks"), maxRecords)) {
            if (isFull()) return;
            const auto& known = chunkAt(chunk);
            if (known) record.chunks.push_back(*known);
            else m_out.isIncomplete = true;
        }
        m_out.tensors.push_back(std::move(record));
    }

    // One object may be in a list a million times.
    const std::optional<Chunk>& chunkAt(NodeId node) {
        const auto [known, isNew] = m_chunks.try_emplace(node);
        if (!isNew) return known->second;
        auto offsets = torch::sizesAt(m_graph, attribute(m_graph, node, "offsets"));
        auto sizes = torch::sizesAt(m_graph, attribute(m_graph, node, "sizes"));
        if (offsets && sizes) known->second = Chunk{std::move(*offsets), std::move(*sizes)};
        return known->second;
    }

    // The state is a tuple that starts with the type, or a dictionary.
    torch::ElementType propertiesType(NodeId properties) const {
        NodeId type = attribute(m_graph, properties, "dtype");
        for (const NodeId state : m_graph.states(properties))
            if (m_graph.is(state, NodeKind::Tuple) && m_graph.count(state) > 0) type = m_graph.items(state, 1)[0];
        return m_graph.is(type, NodeKind::Global) ? torch::typeOfConstant(m_graph.global(type).name) : torch::ElementType();
    }

    void readSlices(NodeId dictionary) {
        for (const pickle::Pair& pair : torch::entries(m_graph, dictionary)) {
            if (isFull()) return;
            const auto [key, isNewKey] = m_keys.try_emplace(pair.key);
            if (isNewKey) readKey(pair.key, key->second);
            const auto [place, isNewPlace] = m_places.try_emplace(pair.value);
            if (isNewPlace) readPlace(pair.value, place->second);
            SliceRecord slice = place->second;
            slice.name = key->second.name;
            slice.offsets = key->second.offsets;
            m_out.slices.push_back(std::move(slice));
        }
    }

    void readKey(NodeId node, SliceRecord& slice) const {
        slice.name = torch::nameAt(m_graph, attribute(m_graph, node, "fqn"));
        slice.offsets = torch::sizesAt(m_graph, attribute(m_graph, node, "offset"));
    }

    void readPlace(NodeId node, SliceRecord& slice) const {
        slice.file = torch::nameAt(m_graph, attribute(m_graph, node, "relative_path"));
        slice.offset = numberAt(m_graph, attribute(m_graph, node, "offset"));
        slice.length = numberAt(m_graph, attribute(m_graph, node, "length"));
        const NodeId transforms = attribute(m_graph, node, "transform_descriptors");
        const bool isSequence = m_graph.is(transforms, NodeKind::List) || m_graph.is(transforms, NodeKind::Tuple);
        slice.isTransformed = isSequence && m_graph.count(transforms) > 0;
    }

    void readPaths(NodeId dictionary) {
        constexpr std::size_t deepest = 64;
        for (const pickle::Pair& pair : torch::entries(m_graph, dictionary)) {
            if (isFull()) return;
            std::vector<PathStep> path;
            for (const NodeId step : m_graph.items(pair.value, deepest))
                path.push_back({torch::nameAt(m_graph, step), m_graph.is(step, NodeKind::Int)});
            if (!path.empty()) m_out.paths.emplace(torch::nameAt(m_graph, pair.key), std::move(path));
        }
    }

    const Graph& m_graph;
    MetadataFile m_out;
    std::unordered_map<NodeId, std::optional<Chunk>> m_chunks;
    std::unordered_map<NodeId, SliceRecord> m_keys, m_places;
    std::size_t m_read = 0;
};

} // namespace

Result<MetadataFile> readMetadata(const io::ByteSource& source, const formats::OpenOptions& options, Danger& danger) {
    pickle::Machine machine(source, options.limits);
    formats::OpenOptions quiet = options;
    quiet.progress.report = nullptr;
    WB_TRY_ASSIGN(const pickle::Stream stream, machine.run(0, quiet.progress));
    ScannedFile file;
    file.path = source.name();
    file.format = "pickle";
    file.isIncomplete = !stream.isComplete;
    pickle::addStream(machine.graph(), stream, static_cast<std::uint32_t>(danger.files.size()), 0, 0, file, danger);
    danger.files.push_back(std::move(file));
    if (torch::className(machine.graph(), stream.root) != "Metadata")
        return fail(ErrorCode::Malformed, Reason("dcp.metadata"), About{source.name()},
                    WB_TEXT("{} is truncated or not the list of a PyTorch distributed checkpoint; copy it again."), source.name());
    MetadataFile out = MetadataReading(machine.graph()).read(stream.root);
    out.isIncomplete = out.isIncomplete || !stream.isComplete;
    return out;
}

} // namespace wb::dcp

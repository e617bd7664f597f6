// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/states.h"

#include "core/formats/torch/object_values.h"

namespace wb::deepspeed {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::Pair;

using torch::entries;
using torch::nameAt;

std::optional<Shape> shapeAt(const Graph& graph, NodeId node) {
    const auto sizes = torch::sizesAt(graph, node);
    return sizes ? Shape::make(*sizes) : std::nullopt;
}

std::vector<std::uint64_t> numbersAt(const Graph& graph, NodeId node) {
    std::vector<std::uint64_t> numbers;
    if (const auto one = graph.number(node); one && *one >= 0) numbers.push_back(static_cast<std::uint64_t>(*one));
    for (const NodeId item : graph.items(node, maxParameters)) {
        const auto number = graph.number(item);
        numbers.push_back(number && *number >= 0 ? static_cast<std::uint64_t>(*number) : 0);
    }
    return numbers;
}

// ZeroStageEnum(3), or the number alone.
std::optional<std::uint64_t> stageAt(const Graph& graph, NodeId node) {
    if (graph.is(node, NodeKind::Call)) {
        const auto given = graph.items(graph.arguments(node), 1);
        if (given.empty()) return std::nullopt;
        node = given[0];
    }
    const auto number = graph.number(node);
    return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

class ModelStatesReading {
public:
    explicit ModelStatesReading(const Graph& graph) : m_graph(graph) {}

    ModelStates read(NodeId root) {
        for (const Pair& pair : entries(m_graph, root)) {
            if (!m_graph.is(pair.key, NodeKind::Text)) continue;
            const std::string_view key = m_graph.text(pair.key);
            if (key == "param_shapes") readGroups(pair.value);
            else if (key == "frozen_param_shapes") m_states.frozen = readShapes(pair.value);
            else if (key == "buffer_names") readBuffers(pair.value);
            else if (key == "shared_params") readShared(pair.value);
            else if (key == "ds_autoep_layers" || key == "autoep_layers") readExperts(pair.value);
        }
        return std::move(m_states);
    }

private:
    // One list may name the same dictionary a million times: all that is read counts.
    bool isFull() {
        m_states.isCut = m_states.isCut || ++m_read > maxParameters;
        return m_read > maxParameters;
    }

    void readGroups(NodeId node) {
        m_states.groups.clear();
        m_states.hasShapes = m_graph.is(node, NodeKind::List) || m_graph.is(node, NodeKind::Tuple) ||
                             m_graph.is(node, NodeKind::Call) || m_graph.is(node, NodeKind::Dict);
        if (m_graph.is(node, NodeKind::Call) || m_graph.is(node, NodeKind::Dict))
            m_states.groups.push_back(readShapes(node)); // older ones
        for (const NodeId group : m_graph.items(node, maxParameters)) {
            if (isFull()) return;
            m_states.groups.push_back(readShapes(group));
        }
    }

    std::vector<NamedShape> readShapes(NodeId node) {
        std::vector<NamedShape> shapes;
        for (const Pair& pair : entries(m_graph, node)) {
            if (isFull()) return shapes;
            const auto shape = shapeAt(m_graph, pair.value);
            if (shape) shapes.push_back({nameAt(m_graph, pair.key), *shape});
            else m_states.isCut = true; // whatever follows it in the partitions cannot be found
        }
        return shapes;
    }

    void readBuffers(NodeId node) {
        m_states.buffers.clear();
        for (const NodeId item : m_graph.items(node, maxParameters)) {
            if (isFull()) return;
            if (m_graph.is(item, NodeKind::Text)) m_states.buffers.push_back(nameAt(m_graph, item));
        }
    }

    void readShared(NodeId node) {
        m_states.shared.clear();
        for (const Pair& pair : entries(m_graph, node)) {
            if (isFull()) return;
            m_states.shared.emplace_back(nameAt(m_graph, pair.key), nameAt(m_graph, pair.value));
        }
        // Of versions that write a list of pairs.
        for (const NodeId item : m_graph.items(node, maxParameters)) {
            const auto pair = m_graph.items(item, 3);
            if (isFull()) return;
            if (pair.size() == 2) m_states.shared.emplace_back(nameAt(m_graph, pair[0]), nameAt(m_graph, pair[1]));
        }
    }

    void readExperts(NodeId node) {
        for (const NodeId layer : m_graph.items(node, maxParameters)) {
            for (const Pair& pair : entries(m_graph, layer)) {
                if (isFull()) return;
                if (m_graph.is(pair.value, NodeKind::Text) && m_graph.text(pair.value) == "zero3_partitioned")
                    m_states.hasPartitionedExperts = true;
            }
            if (isFull()) return;
        }
    }

    const Graph& m_graph;
    ModelStates m_states;
    std::size_t m_read = 0;
};

} // namespace

ModelStates readModelStates(const Graph& graph, NodeId root) { return ModelStatesReading(graph).read(root); }

OptimizerStates readOptimizerStates(const Graph& graph, NodeId root) {
    return readOptimizerEntries(graph, torch::entry(graph, root, "optimizer_state_dict"));
}

OptimizerStates readOptimizerEntries(const Graph& graph, NodeId dictionary) {
    OptimizerStates states;
    for (const Pair& pair : entries(graph, dictionary)) {
        if (!graph.is(pair.key, NodeKind::Text)) continue;
        const std::string_view key = graph.text(pair.key);
        if (key == "zero_stage") states.stage = stageAt(graph, pair.value);
        else if (key == "partition_count") states.partitions = numbersAt(graph, pair.value);
        else if (key == "group_paddings") states.paddings = numbersAt(graph, pair.value);
    }
    return states;
}

} // namespace wb::deepspeed

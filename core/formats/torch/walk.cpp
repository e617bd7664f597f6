// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/pickle/key_text.h"
#include "core/formats/pickle/visits.h"
#include "core/formats/torch/lister.h"

namespace wb::torch {
namespace {

using pickle::Graph;
using pickle::NodeId;
using pickle::NodeKind;
using pickle::Pair;
using pickle::unknownNode;

constexpr int deepestWalk = 64;

class Walker {
public:
    Walker(const Graph& graph, const TensorReading& reading, Lister& lister, formats::Findings& findings,
           const formats::Limits& limits)
        : m_graph(graph), m_reading(reading), m_lister(lister), m_findings(findings), m_limits(limits), m_visits(graph) {}

    // Lists the tensors under `node` and returns its other values; empty for a tensor.
    std::optional<Value> walk(NodeId node, const std::string& name, int depth) {
        if (!m_visits.step() || depth > deepestWalk) return stop(name);
        if (auto tensor = m_reading.read(node)) {
            m_isFull = m_isFull || !m_lister.add(name, *tensor);
            return std::nullopt;
        }
        switch (m_graph.kind(node)) {
        case NodeKind::Dict: return enter(node, name, [&] { return walkPairs(m_graph.pairs(node), name, depth); });
        case NodeKind::List:
        case NodeKind::Tuple:
        case NodeKind::Set:
        case NodeKind::FrozenSet: return enter(node, name, [&] { return walkItems(m_graph.items(node), name, depth); });
        case NodeKind::Call: return enter(node, name, [&] { return walkObject(node, name, depth); });
        case NodeKind::Persistent:
        case NodeKind::Buffer:
        case NodeKind::Unknown: return std::nullopt;
        default: return plain(node);
        }
    }

private:
    // Walks a container unless it is one of those that only a reference may name.
    template <typename Content>
    std::optional<Value> enter(NodeId container, const std::string& name, Content walkContent) {
        if (const std::string* known = m_visits.reference(container))
            return Value::of(known->empty() ? "reference to the whole object" : "reference to " + toUtf8(*known));
        if (!m_visits.enter(container, name)) return stop(name);
        std::optional<Value> content = walkContent();
        m_visits.leave();
        return content;
    }

    std::optional<Value> stop(const std::string& name) {
        if (!m_isStopped)
            m_findings.add(Severity::Warning, "torch.too_deep", std::nullopt,
                           WB_TEXT("{}: the values under {} are nested too deeply or referenced too often; some are not listed."),
                           formats::shown(name));
        m_isStopped = true;
        return std::nullopt;
    }

    bool isAtEnd() const { return m_isFull || m_visits.isExhausted(); }

    std::optional<Value> plain(NodeId node) const {
        switch (m_graph.kind(node)) {
        case NodeKind::None: return Value::null();
        case NodeKind::Bool: return Value::of(m_graph.flag(node));
        case NodeKind::Int: return Value::ofSigned(ValueType::I64, m_graph.integer(node));
        case NodeKind::Float: return Value::ofFloat(ValueType::F64, m_graph.real(node));
        case NodeKind::Text: return Value::of(toUtf8(m_graph.text(node).substr(0, m_limits.keptStringBytes)));
        default: return Value::of(pickle::preview(m_graph, node, 200));
        }
    }

    static std::string joined(const std::string& name, const std::string& key, bool isRoot) {
        return isRoot ? key : name + "." + key;
    }

    std::string keyText(NodeId key) const { return pickle::keyText(m_graph, key, 1000); }

    std::optional<Value> walkPairs(const std::vector<Pair>& pairs, const std::string& name, int depth) {
        ValueObject object;
        for (const Pair& pair : pairs) {
            if (isAtEnd()) break;
            const std::string key = keyText(pair.key);
            auto value = walk(pair.value, joined(name, key, depth == 0), depth + 1);
            if (!value) continue;
            ++object.count;
            if (object.count <= m_limits.keptJsonMembers) object.members.push_back({toUtf8(key), std::move(*value)});
        }
        if (object.count == 0 && !pairs.empty()) return std::nullopt; // nothing but tensors
        return Value::of(std::move(object));
    }

    std::optional<Value> walkItems(const std::vector<NodeId>& items, const std::string& name, int depth) {
        ValueArray array;
        for (std::size_t i = 0; i < items.size() && !isAtEnd(); ++i) {
            auto value = walk(items[i], joined(name, std::to_string(i), depth == 0), depth + 1);
            if (!value) continue;
            ++array.count;
            if (array.first.size() < m_limits.keptArrayElements) array.first.push_back(std::move(*value));
        }
        if (array.count == 0 && !items.empty()) return std::nullopt;
        return Value::of(std::move(array));
    }

    // Keys of a module's state that do not name a level (torch/nn/modules/module.py).
    static bool isModulePart(std::string_view key) { return key == "_parameters" || key == "_buffers" || key == "_modules"; }

    // What BUILD gave an object, mostly the dictionary of its attributes, or a pair of it and another one.
    std::optional<Value> walkState(NodeId state, const std::string& name, int depth) {
        if (m_graph.is(state, NodeKind::Tuple)) {
            ValueArray array;
            for (const NodeId item : m_graph.items(state)) {
                if (isAtEnd()) break;
                auto value = m_graph.is(item, NodeKind::Tuple) ? walk(item, name, depth) : walkState(item, name, depth);
                if (value) array.first.push_back(std::move(*value));
            }
            array.count = array.first.size();
            if (array.count == 1) return std::move(array.first[0]);
            return array.count == 0 ? std::nullopt : std::optional(Value::of(std::move(array)));
        }
        if (!m_graph.is(state, NodeKind::Dict)) return m_graph.is(state, NodeKind::None) ? std::nullopt : walk(state, name, depth);
        return enter(state, name, [&] { return walkAttributes(m_graph.pairs(state), name, depth); });
    }

    std::optional<Value> walkAttributes(const std::vector<Pair>& pairs, const std::string& name, int depth) {
        ValueObject object;
        for (const Pair& pair : pairs) {
            if (isAtEnd()) break;
            const std::string key = keyText(pair.key);
            if (key == "_metadata" || key == "_flat_weights") continue; // versions of modules; parameters that are listed by name
            const bool isPart = isModulePart(key);
            // A part of a module stands for the module itself: its names start where the module's does.
            auto value = isPart ? walkPart(pair.value, name, depth) : walk(pair.value, joined(name, key, depth == 0), depth + 1);
            if (!value || isPart) continue;
            ++object.count;
            if (object.count <= m_limits.keptJsonMembers) object.members.push_back({toUtf8(key), std::move(*value)});
        }
        return object.count == 0 ? std::nullopt : std::optional(Value::of(std::move(object)));
    }

    std::optional<Value> walkPart(NodeId part, const std::string& name, int depth) {
        if (!m_visits.step() || depth > deepestWalk) return stop(name);
        const bool isOrdered = m_graph.is(part, NodeKind::Call); // an OrderedDict
        return enter(part, name, [&] { return walkPairs(isOrdered ? m_graph.callPairs(part) : m_graph.pairs(part), name, depth); });
    }

    std::optional<Value> walkObject(NodeId node, const std::string& name, int depth) {
        std::vector<Value> parts;
        const auto keep = [&parts](std::optional<Value> value) {
            if (value) parts.push_back(std::move(*value));
        };
        if (const auto pairs = m_graph.callPairs(node); !pairs.empty()) keep(walkPairs(pairs, name, depth));
        if (const auto items = m_graph.callItems(node); !items.empty()) keep(walkItems(items, name, depth));
        for (const NodeId state : m_graph.states(node)) keep(walkState(state, name, depth));
        if (parts.empty() && isShardedTensor(node)) return walkSharded(node, name, depth);
        if (parts.empty() && isKnownContainer(node) && m_graph.callPairs(node).empty()) return walkArguments(node, name, depth);
        if (parts.empty()) return hasChanges(node) ? std::nullopt : std::optional(Value::of(pickle::preview(m_graph, node, 200)));
        return std::move(parts[0]);
    }

    // The share of one rank in a tensor of FSDP 1: _rebuild_from_type_v2(_rebuild_wrapper_subclass, ShardedTensor, (class, type,
    // size, …), (local shards, …)) (pytorch/pytorch: torch/_tensor.py, torch/distributed/_shard/sharded_tensor/api.py,
    // __getstate__).
    bool isShardedTensor(NodeId node) const {
        if (!m_graph.isGlobal(m_graph.callee(node), "torch._tensor", "_rebuild_from_type_v2")) return false;
        const auto arguments = m_graph.items(m_graph.arguments(node), 4);
        return arguments.size() == 4 && m_graph.is(arguments[1], NodeKind::Global) &&
               m_graph.global(arguments[1]).name == "ShardedTensor" && m_graph.is(arguments[2], NodeKind::Tuple) &&
               m_graph.count(arguments[2]) > 2 && m_graph.is(arguments[3], NodeKind::Tuple) && m_graph.count(arguments[3]) > 0;
    }

    // {"size", "shards"}; the tensors of the shards are "<name>.0.tensor" …
    std::optional<Value> walkSharded(NodeId node, const std::string& name, int depth) {
        const auto arguments = m_graph.items(m_graph.arguments(node), 4);
        ValueObject object;
        const auto keep = [&](const char* key, std::optional<Value> value) {
            if (value) object.members.push_back({key, std::move(*value)});
        };
        keep("size", walk(m_graph.items(arguments[2], 3)[2], name, depth + 1));
        keep("shards", walk(m_graph.items(arguments[3], 1)[0], name, depth + 1));
        object.count = object.members.size();
        return Value::of(std::move(object));
    }

    // Dictionaries and sets that are made of one argument.
    bool isKnownContainer(NodeId node) const {
        if (!m_graph.is(m_graph.callee(node), NodeKind::Global)) return false;
        const std::string_view name = m_graph.global(m_graph.callee(node)).name;
        return name == "OrderedDict" || name == "defaultdict" || name == "set" || name == "frozenset" || name == "deque" ||
               name == "restore_type_tag" || name == "build_tensorlist";
    }

    std::optional<Value> walkArguments(NodeId node, const std::string& name, int depth) {
        for (const NodeId argument : m_graph.items(m_graph.arguments(node), 2))
            if (m_graph.kind(argument) >= NodeKind::Tuple) return walk(argument, name, depth);
        return std::nullopt;
    }

    bool hasChanges(NodeId node) const { return !m_graph.callPairs(node).empty() || !m_graph.states(node).empty(); }

    const Graph& m_graph;
    const TensorReading& m_reading;
    Lister& m_lister;
    formats::Findings& m_findings;
    const formats::Limits& m_limits;
    pickle::Visits m_visits;
    bool m_isFull = false;
    bool m_isStopped = false;
};

} // namespace

std::optional<Value> listGraph(const Graph& graph, NodeId root, const TensorReading& reading, Lister& lister, Model& model,
                               formats::Findings& findings, const formats::Limits& limits, const std::string& prefix) {
    Walker walker(graph, reading, lister, findings, limits);
    auto rest = walker.walk(root, prefix, prefix.empty() ? 0 : 1);
    if (rest && rest->object() != nullptr) model.metadata = *rest->object();
    return rest;
}

} // namespace wb::torch

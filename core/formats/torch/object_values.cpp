// SPDX-License-Identifier: MIT
#include "core/formats/torch/object_values.h"

#include "core/base/text.h"
#include "core/formats/pickle/key_text.h"

namespace wb::torch {

std::vector<pickle::Pair> entries(const pickle::Graph& graph, pickle::NodeId dictionary) {
    return graph.is(dictionary, pickle::NodeKind::Call) ? graph.callPairs(dictionary) : graph.pairs(dictionary);
}

pickle::NodeId entry(const pickle::Graph& graph, pickle::NodeId dictionary, std::string_view key) {
    pickle::NodeId found = pickle::unknownNode;
    for (const pickle::Pair& pair : entries(graph, dictionary))
        if (graph.is(pair.key, pickle::NodeKind::Text) && graph.text(pair.key) == key) found = pair.value;
    return found;
}

pickle::NodeId attribute(const pickle::Graph& graph, pickle::NodeId object, std::string_view name) {
    constexpr std::size_t maxAttributes = 64; // objects may share one dictionary of millions
    pickle::NodeId found = pickle::unknownNode;
    for (const pickle::NodeId state : graph.states(object))
        for (const pickle::Pair& pair : graph.pairs(state, maxAttributes))
            if (graph.text(pair.key) == name) found = pair.value;
    return found;
}

std::optional<std::vector<std::uint64_t>> sizesAt(const pickle::Graph& graph, pickle::NodeId node) {
    if (graph.is(node, pickle::NodeKind::Call) && graph.isGlobal(graph.callee(node), "torch", "Size")) {
        const auto given = graph.items(graph.arguments(node), 2);
        if (given.empty()) return std::vector<std::uint64_t>();
        node = given[0];
    }
    if (!graph.is(node, pickle::NodeKind::Tuple) && !graph.is(node, pickle::NodeKind::List)) return std::nullopt;
    if (graph.count(node) > Shape::maximumRank) return std::nullopt;
    std::vector<std::uint64_t> sizes;
    for (const pickle::NodeId item : graph.items(node, Shape::maximumRank)) {
        const auto size = graph.number(item);
        if (!size || *size < 0) return std::nullopt;
        sizes.push_back(static_cast<std::uint64_t>(*size));
    }
    return sizes;
}

std::string_view className(const pickle::Graph& graph, pickle::NodeId object) {
    if (!graph.is(object, pickle::NodeKind::Call) || !graph.is(graph.callee(object), pickle::NodeKind::Global)) return {};
    const std::string_view name = graph.global(graph.callee(object)).name;
    if (!name.starts_with("__")) return name;
    return {};
}

std::string nameAt(const pickle::Graph& graph, pickle::NodeId key) {
    constexpr std::size_t maxBytes = 1000; // of the names that tensors are listed under (walk.cpp)
    return toUtf8(pickle::keyText(graph, key, maxBytes));
}

} // namespace wb::torch

// SPDX-License-Identifier: MIT
#include "core/stats/contents/name_tree.h"

#include "core/base/checked.h"

#include <algorithm>
#include <limits>

namespace wb::stats {
namespace {

std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b) {
    return checked::add(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

constexpr int deepest = 64; // a hostile name may hold thousands of dots

class Builder {
public:
    explicit Builder(const Contents& contents) : m_contents(contents), m_nodes(1) {}

    // Tensors must come in natural order: then a name shares its path with its neighbors, and only the last child is inspected.
    void add(std::uint32_t tensor) {
        std::string_view rest = m_contents.tensor(tensor).name;
        std::uint32_t node = 0;
        for (int depth = 1;; ++depth) {
            const std::size_t dot = depth < deepest ? rest.find('.') : std::string_view::npos;
            node = child(node, rest.substr(0, dot));
            if (dot == std::string_view::npos) break;
            rest.remove_prefix(dot + 1);
        }
        if (m_nodes[node].tensor != NameNode::none) node = append(m_nodes[node].parent, m_nodes[node].component);
        m_nodes[node].tensor = tensor;
        count(node, tensor);
    }

    std::vector<NameNode> take() { return std::move(m_nodes); }

private:
    std::uint32_t child(std::uint32_t parent, std::string_view component) {
        const auto& children = m_nodes[parent].children;
        if (!children.empty() && m_nodes[children.back()].component == component) return children.back();
        return append(parent, component);
    }

    std::uint32_t append(std::uint32_t parent, std::string_view component) {
        const auto index = static_cast<std::uint32_t>(m_nodes.size());
        NameNode node;
        node.component = component;
        node.parent = parent;
        node.row = static_cast<std::uint32_t>(m_nodes[parent].children.size());
        m_nodes.push_back(std::move(node));
        m_nodes[parent].children.push_back(index);
        return index;
    }

    void count(std::uint32_t leaf, std::uint32_t tensor) {
        const TensorInfo& info = m_contents.tensor(tensor);
        const bool finding = m_contents.hasFinding(tensor);
        for (std::uint32_t index = leaf;; index = m_nodes[index].parent) {
            NameNode& node = m_nodes[index];
            if (node.tensors == 0) node.dtype = info.dtype;
            else if (node.dtype != info.dtype) node.dtype.reset();
            ++node.tensors;
            node.findings += finding ? 1 : 0;
            if (!info.logical) {
                node.elements = saturatingAdd(node.elements, info.shape.elements());
                node.bytes = saturatingAdd(node.bytes, info.bytes());
            }
            if (index == 0) return;
        }
    }

    const Contents& m_contents;
    std::vector<NameNode> m_nodes;
};

// A group of one child that is nothing by itself is joined with it. Both names are in the name of the tensor that made them.
std::uint32_t endOfChain(const std::vector<NameNode>& nodes, std::uint32_t node) {
    while (nodes[node].tensor == NameNode::none && nodes[node].children.size() == 1) node = nodes[node].children.front();
    return node;
}

void copyJoined(const std::vector<NameNode>& from, std::uint32_t source, std::vector<NameNode>& to, std::uint32_t target) {
    for (const std::uint32_t child : from[source].children) {
        const std::uint32_t end = endOfChain(from, child);
        const auto index = static_cast<std::uint32_t>(to.size());
        NameNode& node = to.emplace_back(from[end]);
        const char* begin = from[child].component.data();
        const char* last = from[end].component.data() + from[end].component.size();
        node.component = {begin, static_cast<std::size_t>(last - begin)};
        node.parent = target;
        node.row = static_cast<std::uint32_t>(to[target].children.size());
        node.children.clear();
        to[target].children.push_back(index);
        copyJoined(from, end, to, index);
    }
}

std::vector<NameNode> joined(const std::vector<NameNode>& nodes) {
    std::vector<NameNode> out{nodes.front()};
    out.front().children.clear();
    out.reserve(nodes.size());
    copyJoined(nodes, 0, out, 0);
    return out;
}

} // namespace

std::vector<NameNode> buildNameTree(const Contents& contents, const std::vector<std::uint32_t>& nameRanks,
                                    std::span<const std::uint32_t> tensors) {
    std::vector<std::uint32_t> ordered(tensors.begin(), tensors.end());
    std::ranges::sort(ordered, {}, [&](std::uint32_t tensor) { return nameRanks[tensor]; });
    Builder builder(contents);
    for (const std::uint32_t tensor : ordered) builder.add(tensor);
    return joined(builder.take());
}

} // namespace wb::stats

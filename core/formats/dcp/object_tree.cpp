// SPDX-License-Identifier: MIT
#include "core/formats/dcp/object_tree.h"

namespace wb::dcp {

void ObjectTree::add(const std::vector<PathStep>& path, Value value) {
    Node* at = &m_root;
    for (const PathStep& step : path) {
        at->isList = at->isList && step.isIndex;
        Node*& child = at->byKey[step.key];
        if (child == nullptr) {
            at->children.emplace_back(step.key, std::make_unique<Node>());
            child = at->children.back().second.get();
        }
        at = child;
    }
    at->leaf = std::move(value);
}

Value ObjectTree::nodeValue(Node& node) {
    if (node.children.empty()) return std::move(node.leaf);
    if (node.isList) {
        ValueArray array;
        for (auto& [key, child] : node.children) array.first.push_back(nodeValue(*child));
        array.count = array.first.size();
        return Value::of(std::move(array));
    }
    ValueObject object;
    for (auto& [key, child] : node.children) object.members.push_back({key, nodeValue(*child)});
    object.count = object.members.size();
    return Value::of(std::move(object));
}

ValueObject ObjectTree::take() {
    ValueObject object;
    for (auto& [key, child] : m_root.children) object.members.push_back({key, nodeValue(*child)});
    object.count = object.members.size();
    return object;
}

} // namespace wb::dcp

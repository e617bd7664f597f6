// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/dcp/metadata.h"
#include "core/model/value.h"

#include <memory>

namespace wb::dcp {

// The plain values of a checkpoint, which it stores one by one, put back into the dictionaries and lists that they were in.
class ObjectTree {
public:
    void add(const std::vector<PathStep>& path, Value value);

    ValueObject take();

private:
    struct Node {
        Value leaf;
        bool isList = true;                                                  // all its keys are positions
        std::vector<std::pair<std::string, std::unique_ptr<Node>>> children; // in their order
        std::map<std::string, Node*, std::less<>> byKey;
    };
    static Value nodeValue(Node& node);

    Node m_root;
};

} // namespace wb::dcp

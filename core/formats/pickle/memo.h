// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/graph.h"

#include <unordered_map>

namespace wb::pickle {

// Values under numbers. Honest writers number from 0 on; any other number costs one entry and not a table up to it.
class Memo {
public:
    std::uint64_t size() const { return m_dense.size() + m_sparse.size(); }

    void put(std::uint64_t index, NodeId id) {
        if (index < m_dense.size()) m_dense[index] = id;
        else if (index == m_dense.size() && m_sparse.empty()) m_dense.push_back(id);
        else m_sparse[index] = id;
    }

    // False where nothing was put there.
    bool get(std::uint64_t index, NodeId& id) const {
        if (index < m_dense.size()) {
            id = m_dense[index];
            return true;
        }
        const auto found = m_sparse.find(index);
        if (found == m_sparse.end()) return false;
        id = found->second;
        return true;
    }

private:
    std::vector<NodeId> m_dense;
    std::unordered_map<std::uint64_t, NodeId> m_sparse;
};

} // namespace wb::pickle

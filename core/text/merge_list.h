// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace wb::text {

// Merges neighbors until nothing can be merged, always the pair that ranks first, of equal ones the leftmost: the inner loop of
// BPE and of SentencePiece. `Rule` maps the ids of two neighbors to a Merge; a merge whose neighbors have changed meanwhile is
// dropped. O(n log n) in the number of symbols.
template <typename Rule>
class MergeList {
public:
    struct Symbol {
        std::uint32_t begin = 0; // byte in the piece
        std::uint32_t end = 0;
        std::int32_t id = -1;
        std::int32_t previous = -1;
        std::int32_t next = -1;
    };

    void clear() {
        m_symbols.clear();
        m_queue = {};
    }

    void add(std::uint32_t begin, std::uint32_t end, std::int32_t id) {
        const auto index = static_cast<std::int32_t>(m_symbols.size());
        if (index > 0) m_symbols.back().next = index;
        m_symbols.push_back({begin, end, id, index - 1, -1});
    }

    void merge(const Rule& rule) {
        for (std::size_t i = 1; i < m_symbols.size(); ++i)
            consider(rule, static_cast<std::int32_t>(i) - 1, static_cast<std::int32_t>(i));
        while (!m_queue.empty()) {
            const Candidate best = m_queue.top();
            m_queue.pop();
            Symbol& left = at(best.left);
            Symbol& right = at(best.right);
            if (left.end == left.begin || left.next != best.right || left.end != best.middle || right.end != best.end) continue;
            left.end = right.end;
            left.id = best.result;
            left.next = right.next;
            right.end = right.begin; // is no longer a symbol
            if (left.next >= 0) at(left.next).previous = best.left;
            if (left.previous >= 0) consider(rule, left.previous, best.left);
            if (left.next >= 0) consider(rule, best.left, left.next);
        }
    }

    // Calls use(symbol) for the remaining symbols, in order.
    template <typename Use>
    void forEach(const Use& use) const {
        for (std::int32_t i = m_symbols.empty() ? -1 : 0; i >= 0; i = m_symbols[static_cast<std::size_t>(i)].next)
            use(m_symbols[static_cast<std::size_t>(i)]);
    }

private:
    using Key = typename Rule::Key; // smaller is merged first

    struct Candidate {
        Key key;
        std::int32_t left;
        std::int32_t right;
        std::int32_t result;
        std::uint32_t middle; // where the left one ended …
        std::uint32_t end;    // … and the right one, when this was found
        bool operator<(const Candidate& other) const { return key != other.key ? other.key < key : left > other.left; }
    };

    Symbol& at(std::int32_t index) { return m_symbols[static_cast<std::size_t>(index)]; }

    void consider(const Rule& rule, std::int32_t left, std::int32_t right) {
        Candidate candidate{{}, left, right, -1, at(left).end, at(right).end};
        if (rule(at(left), at(right), candidate.key, candidate.result)) m_queue.push(candidate);
    }

    std::vector<Symbol> m_symbols;
    std::priority_queue<Candidate> m_queue;
};

} // namespace wb::text

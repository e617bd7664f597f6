// SPDX-License-Identifier: MIT
#include "core/text/token_trie.h"

#include <algorithm>
#include <deque>

namespace wb::text {
namespace {

// Entries [start, end) share the first `depth` bytes, which lead to the node.
struct Range {
    std::uint32_t node;
    std::size_t begin, end, depth;
};

} // namespace

TokenTrie TokenTrie::build(std::vector<Entry> entries) {
    std::ranges::stable_sort(entries, {}, &Entry::text);
    TokenTrie trie;
    std::deque<Range> waiting = {{0, 0, entries.size(), 0}};
    while (!waiting.empty()) {
        const Range range = waiting.front();
        waiting.pop_front();
        std::size_t at = range.begin;
        if (at < range.end && entries[at].text.size() == range.depth) trie.m_nodes[range.node].id = entries[at].id;
        while (at < range.end && entries[at].text.size() == range.depth) ++at;
        trie.m_nodes[range.node].firstChild = static_cast<std::uint32_t>(trie.m_nodes.size());
        while (at < range.end) {
            const std::size_t begin = at;
            const char label = entries[at].text[range.depth];
            while (at < range.end && entries[at].text[range.depth] == label) ++at;
            waiting.push_back({static_cast<std::uint32_t>(trie.m_nodes.size()), begin, at, range.depth + 1});
            trie.m_nodes.emplace_back();
            trie.m_labels += label;
            ++trie.m_nodes[range.node].children;
        }
    }
    for (std::uint32_t i = 0; i < trie.m_nodes.front().children; ++i) {
        const std::uint32_t child = trie.m_nodes.front().firstChild + i;
        trie.m_roots[static_cast<unsigned char>(trie.m_labels[child])] = child;
    }
    return trie;
}

} // namespace wb::text

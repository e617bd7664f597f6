// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/vocabulary.h"

#include <cstring>

namespace wb::text {

// Texts of tokens as a tree of their bytes, so that all tokens that a text starts with are found in one walk, however long the
// longest of the vocabulary is. Immutable after building; thread-safe.
class TokenTrie {
public:
    struct Entry {
        std::string_view text; // not empty; need not outlive the call
        TokenId id;
    };
    // Of equal texts the first one counts.
    static TokenTrie build(std::vector<Entry> entries);

    // Calls found(length, id) for every token that `text` starts with, the shortest first.
    template <typename Found>
    void walk(std::string_view text, Found found) const {
        if (text.empty()) return;
        std::uint32_t node = m_roots[static_cast<unsigned char>(text.front())];
        for (std::size_t length = 1; node != 0; ++length) {
            if (m_nodes[node].id != noToken) found(length, m_nodes[node].id);
            if (length == text.size()) return;
            node = childNode(node, text[length]);
        }
    }

    struct Match {
        std::size_t length = 0; // bytes; 0: none
        TokenId id = noToken;
    };
    Match longest(std::string_view text) const {
        Match best;
        walk(text, [&best](std::size_t length, TokenId id) { best = {length, id}; });
        return best;
    }

private:
    // The children of a node lie side by side, their bytes in m_labels at the same places.
    struct Node {
        std::uint32_t firstChild = 0, children = 0;
        TokenId id = noToken;
    };

    std::uint32_t childNode(std::uint32_t node, char byte) const {
        const Node& from = m_nodes[node];
        if (from.children == 0) return 0;
        const char* const first = m_labels.data() + from.firstChild;
        const void* const found = std::memchr(first, byte, from.children);
        return found ? from.firstChild + static_cast<std::uint32_t>(static_cast<const char*>(found) - first) : 0;
    }

    std::vector<Node> m_nodes = std::vector<Node>(1); // 0 is the root, and none
    std::string m_labels = std::string(1, '\0');
    std::vector<std::uint32_t> m_roots = std::vector<std::uint32_t>(256); // the children of the root, by byte
};

} // namespace wb::text

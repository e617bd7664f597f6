// SPDX-License-Identifier: MIT
#include "core/text/grammar/check.h"

namespace wb::text {
namespace {

// Which rules derive the empty text. Each alternative counts the symbols that are still in its way; a rule that becomes empty
// takes one away wherever it is used, so the whole is linear.
std::vector<bool> emptyRules(const Grammar& grammar) {
    const auto& symbols = grammar.symbols();
    const std::size_t rules = grammar.rules().size();
    std::vector<std::vector<std::uint32_t>> users(rules); // alternatives, once for every use
    std::vector<std::uint32_t> waiting;                   // of an alternative
    std::vector<std::uint32_t> owner;
    std::vector<std::uint32_t> ready;
    std::vector<bool> isEmpty(rules);
    for (std::uint32_t rule = 0; rule < rules; ++rule)
        for (const std::uint32_t begin : grammar.rules()[rule]) {
            std::uint32_t count = 0;
            for (std::uint32_t at = begin; symbols[at].kind != SymbolKind::End; ++at, ++count)
                if (symbols[at].kind == SymbolKind::Rule)
                    users[symbols[at].value].push_back(static_cast<std::uint32_t>(owner.size()));
            if (count == 0) ready.push_back(rule);
            waiting.push_back(count);
            owner.push_back(rule);
        }
    while (!ready.empty()) {
        const std::uint32_t rule = ready.back();
        ready.pop_back();
        if (isEmpty[rule]) continue;
        isEmpty[rule] = true;
        for (const std::uint32_t user : users[rule])
            if (--waiting[user] == 0) ready.push_back(owner[user]);
    }
    return isEmpty;
}

// The rules that a rule may start with.
std::vector<std::vector<std::uint32_t>> beginnings(const Grammar& grammar) {
    const std::vector<bool> isEmpty = emptyRules(grammar);
    const auto& symbols = grammar.symbols();
    std::vector<std::vector<std::uint32_t>> first(grammar.rules().size());
    for (std::size_t rule = 0; rule < first.size(); ++rule)
        for (std::uint32_t at : grammar.rules()[rule])
            for (; symbols[at].kind == SymbolKind::Rule; ++at) {
                first[rule].push_back(symbols[at].value);
                if (!isEmpty[symbols[at].value]) break;
            }
    return first;
}

} // namespace

// Depth first, without recursion: chains of rules are as long as the file likes.
std::optional<std::uint32_t> leftRecursiveRule(const Grammar& grammar) {
    enum : std::uint8_t { Unseen, Open, Done };
    const auto first = beginnings(grammar);
    std::vector<std::uint8_t> state(first.size(), Unseen);
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // a rule, and which of its beginnings comes next
    for (std::uint32_t start = 0; start < first.size(); ++start) {
        if (state[start] != Unseen) continue;
        state[start] = Open;
        path.push_back({start, 0});
        while (!path.empty()) {
            const std::uint32_t rule = path.back().first;
            if (path.back().second == first[rule].size()) {
                state[rule] = Done;
                path.pop_back();
                continue;
            }
            const std::uint32_t next = first[rule][path.back().second++];
            if (state[next] == Open) return next;
            if (state[next] == Done) continue;
            state[next] = Open;
            path.push_back({next, 0});
        }
    }
    return std::nullopt;
}

} // namespace wb::text

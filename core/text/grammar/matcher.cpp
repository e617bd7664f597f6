// SPDX-License-Identifier: MIT
#include "core/text/grammar/matcher.h"

#include "core/text/utf8.h"

#include <algorithm>
#include <limits>

namespace wb::text {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

std::uint64_t pairKey(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

// Bytes of the character that this byte starts; 0: it starts none.
std::uint8_t lengthFromLead(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

// The lowest code point that is written in this many bytes.
constexpr std::uint32_t lowestOf[] = {0, 0, 0x80, 0x800, 0x10000};

// Whether a code point is written in this many bytes, and is not one of the surrogates.
bool isRight(std::uint32_t value, std::uint8_t length) {
    return value >= lowestOf[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

} // namespace

TokenGrammar::TokenGrammar(Grammar grammar, const Tokenizer& tokenizer)
    : m_grammar(std::move(grammar)), m_ends(tokenizer.vocabulary().endOfGeneration) {
    const auto count = static_cast<TokenId>(tokenizer.vocabulary().tokens.size());
    m_pieces.reserve(static_cast<std::size_t>(count));
    for (TokenId id = 0; id < count; ++id) {
        m_pieces.push_back(tokenizer.piece(id));
        if (!m_pieces.back().empty() && !isEnd(id)) m_sorted.push_back(id);
    }
    std::ranges::sort(m_sorted, {}, [this](TokenId id) -> const std::string& { return piece(id); });
}

Result<std::shared_ptr<const TokenGrammar>> TokenGrammar::make(Grammar grammar, const Tokenizer& tokenizer) {
    if (tokenizer.vocabulary().endOfGeneration.empty())
        return fail(ErrorCode::Unsupported, Reason("grammar.no_end"),
                    WB_TEXT("The vocabulary has no end-of-text token, so a grammar could never finish."));
    return std::shared_ptr<const TokenGrammar>(new TokenGrammar(std::move(grammar), tokenizer));
}

std::size_t GrammarMatcher::StateHash::operator()(const State& state) const {
    std::size_t hash = state.value * std::size_t{31} + state.missing;
    for (const NodeId id : state.stacks) hash = (hash ^ id) * std::size_t{0x100000001B3};
    return hash;
}

GrammarMatcher::GrammarMatcher(std::shared_ptr<const TokenGrammar> grammar) : m_grammar(std::move(grammar)) {
    State first;
    for (const std::uint32_t begin : m_grammar->grammar().rules()[m_grammar->grammar().root()]) follow(begin, 0, first.stacks);
    m_state = intern(std::move(first));
}

GrammarMatcher::NodeId GrammarMatcher::node(std::uint32_t symbol, NodeId below) {
    const auto [place, isNew] = m_nodeIds.try_emplace(pairKey(symbol, below), static_cast<NodeId>(m_nodes.size()));
    if (isNew) m_nodes.push_back({symbol, below});
    return place->second;
}

GrammarMatcher::StateId GrammarMatcher::intern(State state) {
    std::ranges::sort(state.stacks);
    const auto repeated = std::ranges::unique(state.stacks);
    state.stacks.erase(repeated.begin(), repeated.end());
    if (state.stacks.empty()) return 0;
    if (state.stacks.size() > maxStacks) state.stacks.resize(maxStacks);
    const auto [place, isNew] = m_stateIds.try_emplace(state, static_cast<StateId>(m_states.size()));
    if (isNew) m_states.push_back(std::move(state));
    return place->second;
}

// The stacks whose next symbol is a character or a token, from this symbol on: rules are replaced by their alternatives, and where
// an alternative ends its rule's place continues. Without left recursion this ends; finished elements leave the stacks, so
// that a list of a million items is no deeper than one.
void GrammarMatcher::follow(std::uint32_t symbol, NodeId below, std::vector<NodeId>& into) {
    const auto& symbols = m_grammar->grammar().symbols();
    std::vector<Node> open{{symbol, below}};
    std::set<std::uint64_t> seen;
    while (!open.empty() && seen.size() < 4 * maxStacks && m_nodes.size() < maxNodes) {
        const Node at = open.back();
        open.pop_back();
        if (!seen.insert(pairKey(at.symbol, at.below)).second) continue;
        const GrammarSymbol next = symbols[at.symbol];
        if (next.kind == SymbolKind::End) {
            if (at.below == 0) into.push_back(0);
            else open.push_back(m_nodes[at.below]);
        } else if (next.kind == SymbolKind::Rule) {
            const NodeId rest = symbols[at.symbol + 1].kind == SymbolKind::End ? at.below : node(at.symbol + 1, at.below);
            for (const std::uint32_t begin : m_grammar->grammar().rules()[next.value]) open.push_back({begin, rest});
        } else into.push_back(node(at.symbol, at.below));
    }
}

GrammarMatcher::State GrammarMatcher::characterRead(const State& from, char32_t c) {
    const Grammar& grammar = m_grammar->grammar();
    State to;
    for (const NodeId id : from.stacks) {
        const Node at = m_nodes[id];
        const GrammarSymbol symbol = id == 0 ? GrammarSymbol{} : grammar.symbols()[at.symbol];
        if (symbol.kind == SymbolKind::Class && grammar.classes()[symbol.value].holds(c))
            follow(at.symbol + 1, at.below, to.stacks);
        if (to.stacks.size() > 4 * maxStacks) break;
    }
    return to;
}

// Whether some character that starts with the bytes so far fits.
bool GrammarMatcher::meets(const State& state) const {
    const Grammar& grammar = m_grammar->grammar();
    const unsigned shift = 6u * state.missing;
    const char32_t high = (char32_t{state.value} << shift) + ((char32_t{1} << shift) - 1);
    const char32_t low = std::max<char32_t>(state.value << shift, lowestOf[state.length]);
    if (low > high) return false;
    return std::ranges::any_of(state.stacks, [&](NodeId id) {
        const GrammarSymbol symbol = id == 0 ? GrammarSymbol{} : grammar.symbols()[m_nodes[id].symbol];
        return symbol.kind == SymbolKind::Class && grammar.classes()[symbol.value].meets(low, high);
    });
}

GrammarMatcher::State GrammarMatcher::stepped(const State& from, unsigned char byte) {
    State to = from;
    if (from.missing == 0) {
        to.length = lengthFromLead(byte);
        if (to.length == 0) return {};
        if (to.length == 1) return characterRead(from, byte);
        to.missing = static_cast<std::uint8_t>(to.length - 1);
        to.value = byte & (0x7Fu >> to.length);
    } else {
        if ((byte & 0xC0) != 0x80) return {};
        to.value = from.value << 6 | (byte & 0x3Fu);
        if (--to.missing == 0) return isRight(to.value, from.length) ? characterRead(from, to.value) : State();
    }
    return meets(to) ? to : State();
}

GrammarMatcher::StateId GrammarMatcher::step(StateId from, unsigned char byte) {
    if (from == 0) return 0;
    const std::uint64_t key = std::uint64_t{from} << 8 | byte;
    if (const auto known = m_steps.find(key); known != m_steps.end()) return known->second;
    const StateId to = m_nodes.size() < maxNodes ? intern(stepped(State(m_states[from]), byte)) : 0;
    m_steps.emplace(key, to);
    return to;
}

GrammarMatcher::StateId GrammarMatcher::afterBytes(StateId from, std::string_view bytes) {
    for (const char byte : bytes) {
        from = step(from, static_cast<unsigned char>(byte));
        if (from == 0) break;
    }
    return from;
}

bool GrammarMatcher::takesToken(const GrammarSymbol& symbol, TokenId token) const {
    if (symbol.kind == SymbolKind::Token) return symbol.value == static_cast<std::uint32_t>(token);
    return symbol.kind == SymbolKind::NotToken && symbol.value != static_cast<std::uint32_t>(token) && !m_grammar->isEnd(token);
}

std::vector<GrammarMatcher::NodeId> GrammarMatcher::afterToken(const State& from, TokenId token) {
    std::vector<NodeId> stacks;
    if (from.missing > 0) return stacks;
    for (const NodeId id : from.stacks) {
        const Node at = m_nodes[id];
        if (id != 0 && takesToken(m_grammar->grammar().symbols()[at.symbol], token)) follow(at.symbol + 1, at.below, stacks);
    }
    return stacks;
}

bool GrammarMatcher::isComplete() const {
    const State& state = m_states[m_state];
    return state.missing == 0 && !state.stacks.empty() && state.stacks.front() == 0;
}

bool GrammarMatcher::allows(TokenId token) {
    if (token < 0 || static_cast<std::size_t>(token) >= m_grammar->size()) return false;
    if (!afterToken(State(m_states[m_state]), token).empty()) return true;
    if (m_grammar->isEnd(token)) return isComplete();
    const std::string& piece = m_grammar->piece(token);
    return !piece.empty() && afterBytes(m_state, piece) != 0;
}

void GrammarMatcher::accept(TokenId token) {
    State to;
    to.stacks = afterToken(State(m_states[m_state]), token);
    if (!m_grammar->isEnd(token) && !m_grammar->piece(token).empty()) {
        const State& read = m_states[afterBytes(m_state, m_grammar->piece(token))];
        if (to.stacks.empty()) to = read;
        else if (read.missing == 0) to.stacks.insert(to.stacks.end(), read.stacks.begin(), read.stacks.end());
    }
    m_state = intern(std::move(to));
    if (m_nodes.size() > maxNodes / 2 || m_steps.size() > maxNodes) forget();
}

// Keeps the state and what it is on; the rest comes again when it is needed.
void GrammarMatcher::forget() {
    const std::vector<Node> nodes = std::exchange(m_nodes, {Node{0, 0}});
    State state = m_states[m_state];
    m_nodeIds.clear();
    m_stateIds.clear();
    m_steps.clear();
    m_states.resize(1);
    for (NodeId& stack : state.stacks) {
        std::vector<NodeId> path;
        for (NodeId at = stack; at != 0; at = nodes[at].below) path.push_back(at);
        NodeId below = 0;
        for (auto at = path.rbegin(); at != path.rend(); ++at) below = node(nodes[*at].symbol, below);
        stack = below;
    }
    m_state = intern(std::move(state));
}

// Along the sorted tokens: the states after the bytes that a token shares with its neighbor are at hand.
void GrammarMatcher::maskText(std::vector<bool>& isAllowed) {
    std::vector<StateId> states{m_state}; // after each byte of the last token, as far as it goes
    std::string_view last;
    for (const TokenId id : m_grammar->sorted()) {
        const std::string_view piece = m_grammar->piece(id);
        const auto shared = static_cast<std::size_t>(std::ranges::mismatch(last, piece).in1 - last.begin());
        last = piece;
        if (shared + 1 < states.size()) states.resize(shared + 1);
        // Where the way ended inside what is shared, it ends here too.
        while (states.back() != 0 && states.size() <= piece.size())
            states.push_back(step(states.back(), static_cast<unsigned char>(piece[states.size() - 1])));
        if (states.back() != 0) isAllowed[static_cast<std::size_t>(id)] = true;
    }
}

bool GrammarMatcher::mask(std::span<float> logits) {
    std::vector<bool> isAllowed(m_grammar->size());
    maskText(isAllowed);
    for (const TokenId id : m_grammar->ends()) isAllowed[static_cast<std::size_t>(id)] = isComplete();
    const State state = m_states[m_state];
    const auto& symbols = m_grammar->grammar().symbols();
    for (const NodeId stack : state.stacks) {
        if (stack == 0 || state.missing > 0) continue;
        const GrammarSymbol symbol = symbols[m_nodes[stack].symbol];
        if (symbol.kind == SymbolKind::Token && symbol.value < isAllowed.size()) isAllowed[symbol.value] = true;
        if (symbol.kind == SymbolKind::NotToken)
            for (std::size_t id = 0; id < isAllowed.size(); ++id)
                if (takesToken(symbol, static_cast<TokenId>(id))) isAllowed[id] = true;
    }
    bool isAnyLeft = false;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        if (id >= isAllowed.size() || !isAllowed[id]) logits[id] = never;
        else isAnyLeft = isAnyLeft || logits[id] != never;
    }
    return isAnyLeft;
}

} // namespace wb::text

// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/grammar/grammar.h"

#include <set>
#include <span>
#include <unordered_map>

namespace wb::text {

// A grammar next to the vocabulary whose tokens it allows. Immutable and thread-safe.
class TokenGrammar {
public:
    // Unsupported where the vocabulary has no token that ends a text: nothing could be drawn once the grammar is complete.
    static Result<std::shared_ptr<const TokenGrammar>> make(Grammar grammar, const Tokenizer& tokenizer);

    const Grammar& grammar() const { return m_grammar; }
    const std::string& piece(TokenId id) const { return m_pieces[static_cast<std::size_t>(id)]; }
    std::size_t size() const { return m_pieces.size(); }
    bool isEnd(TokenId id) const { return m_ends.contains(id); }
    const std::set<TokenId>& ends() const { return m_ends; }
    // All tokens that are text, by their bytes: neighbors share beginnings, which are then looked at once.
    const std::vector<TokenId>& sorted() const { return m_sorted; }

private:
    TokenGrammar(Grammar grammar, const Tokenizer& tokenizer);

    Grammar m_grammar;
    std::vector<std::string> m_pieces; // bytes, which need not be complete characters
    std::vector<TokenId> m_sorted;
    std::set<TokenId> m_ends;
};

// Follows a text through a grammar and returns the possible next tokens. Holds every way in which the text so far can be read, as
// stacks of the remaining elements that share their tails. Stacks beyond maxStacks are dropped, so an absurdly ambiguous grammar
// may allow fewer texts than it derives, never others. One thread at a time.
class GrammarMatcher {
public:
    static constexpr std::size_t maxStacks = 1000;
    static constexpr std::size_t maxNodes = std::size_t{1} << 21;

    explicit GrammarMatcher(std::shared_ptr<const TokenGrammar> grammar);

    bool allows(TokenId token);
    // The token is part of the text now. It must be allowed.
    void accept(TokenId token);
    // Makes the logits of all tokens that are not allowed -inf. False where none is left that could be drawn.
    bool mask(std::span<float> logits);
    // The grammar derives the text so far.
    bool isComplete() const;
    TokenId endToken() const { return *m_grammar->ends().begin(); }

private:
    using StateId = std::uint32_t; // 0: no way continues
    using NodeId = std::uint32_t;  // 0: the empty stack

    struct Node {
        std::uint32_t symbol; // that comes next
        NodeId below;
    };
    struct State {
        std::vector<NodeId> stacks; // ascending
        std::uint32_t value = 0;    // of a character whose bytes have not all come
        std::uint8_t length = 0;    // its bytes; 0: between characters
        std::uint8_t missing = 0;

        friend bool operator==(const State&, const State&) = default;
    };
    struct StateHash {
        std::size_t operator()(const State& state) const;
    };

    NodeId node(std::uint32_t symbol, NodeId below);
    StateId intern(State state);
    void follow(std::uint32_t symbol, NodeId below, std::vector<NodeId>& into);
    StateId step(StateId from, unsigned char byte);
    State stepped(const State& from, unsigned char byte);
    State characterRead(const State& from, char32_t c);
    bool meets(const State& state) const;
    StateId afterBytes(StateId from, std::string_view bytes);
    std::vector<NodeId> afterToken(const State& from, TokenId token);
    bool takesToken(const GrammarSymbol& symbol, TokenId token) const;
    void maskText(std::vector<bool>& isAllowed);
    void forget();

    std::shared_ptr<const TokenGrammar> m_grammar;
    std::vector<Node> m_nodes{Node{0, 0}};
    std::unordered_map<std::uint64_t, NodeId> m_nodeIds;
    std::vector<State> m_states{State{}};
    std::unordered_map<State, StateId, StateHash> m_stateIds;
    std::unordered_map<std::uint64_t, StateId> m_steps; // of state and byte
    StateId m_state = 0;
};

} // namespace wb::text

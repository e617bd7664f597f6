// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/engine.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace wb::infer {

// A model with the tokens it has read: cuts long prompts into batches, keeps the beginning that two prompts share, and holds the
// logits of the last token. One thread at a time.
class Session {
public:
    explicit Session(std::unique_ptr<Engine> engine) : m_engine(std::move(engine)), m_logits(m_engine->vocabulary()) {}

    const Engine& engine() const { return *m_engine; }
    std::span<const Token> tokens() const { return m_tokens; }
    std::size_t room() const { return m_engine->context() - m_tokens.size(); }

    // Reads additional tokens. TooLarge, with the word context, if they do not fit; Invalid for an id outside the vocabulary. After
    // any error, Canceled included, the session holds the tokens whose batches were finished. Progress counts tokens.
    Result<void> append(std::span<const Token> tokens, const Progress& progress = {});

    // Makes the session hold exactly these tokens: what it has in common with them from the beginning is not computed again.
    Result<void> replace(std::span<const Token> tokens, const Progress& progress = {});

    // How many tokens of the beginning replace() would not compute again.
    std::size_t reusable(std::span<const Token> tokens) const;

    // Forgets all but the first `count` tokens, or as many more as the engine needs to continue (Engine::reusable). logits() are
    // those of the last token again only after the next append.
    void truncate(std::size_t count);

    // Of the last token appended, one for each word of the vocabulary.
    std::span<float> logits() { return m_logits; }

    // From the next append on this many of the highest logits are enough: where the engine finds them itself, ranked() has them,
    // and logits() nothing of use. 0, as at first: all are needed.
    void needRanked(std::size_t count) { m_needed = std::min(count, m_engine->vocabulary()); }

    // How the token after the next append will be drawn from ranked(); empty: unknown (Batch::next).
    void expectDraw(std::optional<text::Draw> draw) { m_nextDraw = draw; }

    // The highest logits of the last token appended, best first; empty: logits() has all.
    std::span<const text::TokenLogit> ranked() const { return m_ranked; }

private:
    std::unique_ptr<Engine> m_engine;
    std::vector<Token> m_tokens;
    std::vector<float> m_logits;
    std::size_t m_needed = 0;
    std::vector<text::TokenLogit> m_ranked;
    std::optional<text::Draw> m_nextDraw; // of the next append
};

// Whether all ids are inside the vocabulary and all tokens inside the context.
Result<void> checkTokens(std::span<const Token> tokens, std::size_t before, std::size_t vocabulary, std::size_t context);

} // namespace wb::infer

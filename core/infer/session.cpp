// SPDX-License-Identifier: MIT
#include "core/infer/session.h"

#include <algorithm>
#include <utility>

namespace wb::infer {

Result<void> checkTokens(std::span<const Token> tokens, std::size_t before, std::size_t vocabulary, std::size_t context) {
    const auto outside =
        std::ranges::find_if(tokens, [&](Token token) { return token < 0 || static_cast<std::size_t>(token) >= vocabulary; });
    if (outside != tokens.end())
        return fail(ErrorCode::Invalid, Reason("infer.token"),
                    WB_TEXT("The token ID {} is outside the vocabulary; the highest ID is {}."), *outside, vocabulary - 1);
    if (tokens.size() > context - std::min(before, context))
        return fail(ErrorCode::TooLarge, Reason("infer.context"), WB_TEXT("{} tokens do not fit in the context of {} tokens."),
                    before + tokens.size(), context);
    return {};
}

Result<void> Session::append(std::span<const Token> tokens, const Progress& progress) {
    const std::optional<text::Draw> next = std::exchange(m_nextDraw, {});
    WB_TRY(checkTokens(tokens, m_tokens.size(), m_engine->vocabulary(), m_engine->context()));
    const std::size_t tail = m_engine->tailTokens();
    for (std::size_t done = 0; done < tokens.size();) {
        WB_TRY(progress.at(done, tokens.size()));
        const std::size_t left = tokens.size() - done;
        Batch batch;
        batch.tokens = tokens.subspan(done, std::min(m_engine->maxBatch(), left > tail ? left - tail : left));
        batch.position = m_tokens.size();
        if (done + batch.tokens.size() == tokens.size()) {
            m_ranked.assign(m_needed <= m_engine->maxRanked() ? m_needed : 0, {});
            if (m_ranked.empty()) batch.logits = m_logits;
            batch.ranked = m_ranked;
            if (!m_ranked.empty()) batch.next = next;
        }
        WB_TRY(m_engine->evaluate(batch, progress.stop));
        m_tokens.insert(m_tokens.end(), batch.tokens.begin(), batch.tokens.end());
        done += batch.tokens.size();
    }
    return {};
}

Result<void> Session::replace(std::span<const Token> tokens, const Progress& progress) {
    truncate(reusable(tokens));
    return append(tokens.subspan(m_tokens.size()), progress);
}

std::size_t Session::reusable(std::span<const Token> tokens) const {
    if (tokens.empty()) return 0;
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(m_tokens, tokens).in2 - tokens.begin());
    // The last token is read again in any case, for its logits.
    return m_engine->reusable(std::min(shared, tokens.size() - 1));
}

void Session::truncate(std::size_t count) {
    if (count < m_tokens.size()) m_tokens.resize(m_engine->reusable(count));
}

} // namespace wb::infer

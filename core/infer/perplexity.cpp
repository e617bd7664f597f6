// SPDX-License-Identifier: MIT
#include "core/infer/perplexity.h"

#include "core/infer/session.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <cmath>

namespace wb::infer {
namespace {

constexpr float unlikely = -16; // a base's log-probabilities below it are not counted

// What one position tells.
struct Position {
    double surprise = 0;          // -ln p of the token that follows
    std::optional<double> excess; // … less the base's, which does not keep what is unlikely
    double divergence = 0;        // from the base
    bool sameTop = false;
};

double logOfSum(std::span<const float> logits, float most) {
    double sum = 0;
    for (const float logit : logits) sum += static_cast<double>(std::exp(logit - most));
    return static_cast<double>(most) + std::log(sum);
}

std::size_t best(std::span<const float> numbers) {
    return static_cast<std::size_t>(std::ranges::max_element(numbers) - numbers.begin());
}

double percentile(std::vector<double>& sorted, double share) {
    const double rank = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const double above = sorted[std::min(below + 1, sorted.size() - 1)];
    return sorted[below] + (rank - static_cast<double>(below)) * (above - sorted[below]);
}

class Measurement {
public:
    Measurement(Engine& engine, std::span<const Token> tokens, const PerplexityOptions& options, const Progress& progress)
        : m_engine(engine), m_tokens(tokens), m_options(options), m_progress(progress), m_first(options.context / 2),
          m_counted(options.context - 1 - m_first) {}

    Result<Perplexity> run() {
        const std::size_t windows = m_tokens.size() / m_options.context;
        if (windows < 2)
            return fail(ErrorCode::TooLarge, Reason("infer.text_too_short"),
                        WB_TEXT("The text has {} tokens; at least {} are required (two windows of {})."), m_tokens.size(),
                        2 * m_options.context, m_options.context);
        m_logits.resize(m_counted * m_engine.vocabulary());
        for (std::size_t w = 0; w < windows; ++w) WB_TRY(window(w));
        return summary(windows);
    }

private:
    Result<void> window(std::size_t index) {
        const auto text = m_tokens.subspan(index * m_options.context, m_options.context);
        WB_TRY(checkTokens(text, 0, m_engine.vocabulary(), m_engine.context()));
        std::vector<Token> tokens(text.begin(), text.end());
        if (m_options.first) tokens[0] = *m_options.first;
        WB_TRY(evaluate(tokens, index));
        if (m_options.save) WB_TRY(m_options.save->add(m_logits));
        const std::size_t before = m_positions.size();
        m_positions.resize(before + m_counted);
        return jobs::parallelFor(m_counted, m_options.threads, m_progress.stop, [&](std::uint64_t i) {
            return measure(index, i, text[m_first + i + 1], m_positions[before + i]);
        });
    }

    // The last token of a window only stands to be predicted.
    Result<void> evaluate(std::span<const Token> tokens, std::size_t window) {
        const std::size_t count = tokens.size() - 1, vocabulary = m_engine.vocabulary();
        for (std::size_t done = 0; done < count;) {
            WB_TRY(m_progress.at(window * m_options.context + done, m_tokens.size()));
            const std::size_t piece = std::min(m_engine.maxBatch(), count - done), end = done + piece;
            const std::size_t firstWanted = std::max(done, m_first);
            Batch batch{tokens.subspan(done, piece), done, {}, {}};
            if (end > firstWanted)
                batch.logits = std::span(m_logits).subspan((firstWanted - m_first) * vocabulary, (end - firstWanted) * vocabulary);
            WB_TRY(m_engine.evaluate(batch, m_progress.stop));
            done = end;
        }
        return {};
    }

    Result<void> measure(std::size_t window, std::size_t index, Token next, Position& out) const {
        const std::size_t vocabulary = m_engine.vocabulary();
        const auto logits = std::span(m_logits).subspan(index * vocabulary, vocabulary);
        const std::size_t top = best(logits);
        const double below = logOfSum(logits, logits[top]);
        out.surprise = below - static_cast<double>(logits[static_cast<std::size_t>(next)]);
        if (!m_options.base) return {};
        std::vector<float> base(vocabulary);
        WB_TRY(m_options.base->read(window * m_counted + index, base));
        for (std::size_t i = 0; i < vocabulary; ++i)
            if (base[i] > unlikely)
                out.divergence += static_cast<double>(std::exp(base[i])) *
                                  (static_cast<double>(base[i]) - static_cast<double>(logits[i]) + below);
        const float expected = base[static_cast<std::size_t>(next)];
        if (expected > unlikely) out.excess = out.surprise + static_cast<double>(expected);
        out.sameTop = best(base) == top;
        return {};
    }

    Perplexity summary(std::size_t windows) const {
        const auto count = static_cast<double>(m_positions.size());
        double sum = 0, squares = 0;
        for (const Position& position : m_positions) {
            sum += position.surprise;
            squares += position.surprise * position.surprise;
        }
        const double mean = sum / count, variance = squares / count - mean * mean;
        Perplexity result;
        result.perplexity = std::exp(mean);
        result.error = variance > 0 ? result.perplexity * std::sqrt(variance / (count - 1)) : 0;
        result.windows = windows;
        if (m_options.base) result.divergence = divergence();
        return result;
    }

    Divergence divergence() const {
        std::vector<double> sorted;
        double sum = 0, same = 0;
        for (const Position& position : m_positions) {
            sorted.push_back(position.divergence);
            sum += position.divergence;
            same += position.sameTop ? 1 : 0;
        }
        std::ranges::sort(sorted);
        const auto count = static_cast<double>(sorted.size());
        Divergence result{sum / count, percentile(sorted, 0.5), percentile(sorted, 0.99), same / count};
        addQuotient(result);
        return result;
    }

    void addQuotient(Divergence& result) const {
        double sum = 0, squares = 0, count = 0;
        for (const Position& position : m_positions) {
            if (!position.excess) continue;
            sum += *position.excess;
            squares += *position.excess * *position.excess;
            ++count;
        }
        if (count < 2) return;
        const double mean = sum / count, variance = std::max(squares / count - mean * mean, 0.0);
        result.quotient = std::exp(mean);
        result.quotientError = result.quotient * std::sqrt(variance / (count - 1));
    }

    Engine& m_engine;
    std::span<const Token> m_tokens;
    const PerplexityOptions& m_options;
    const Progress& m_progress;
    std::size_t m_first;   // position of a window that is counted
    std::size_t m_counted; // positions of a window
    std::vector<float> m_logits;
    std::vector<Position> m_positions;
};

} // namespace

Result<Perplexity> measurePerplexity(Engine& engine, std::span<const Token> tokens, const PerplexityOptions& options,
                                     const Progress& progress) {
    return Measurement(engine, tokens, options, progress).run();
}

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#include "core/infer/benchmark.h"

#include "core/text/sampler.h"

#include <chrono>
#include <random>

namespace wb::infer {
namespace {

using Clock = std::chrono::steady_clock;

double rateSince(Clock::time_point begin, std::size_t count) {
    return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<Token> someTokens(std::size_t count, std::size_t vocabulary) {
    std::mt19937 random(1);
    std::vector<Token> tokens(count);
    for (Token& token : tokens) token = static_cast<Token>(random() % vocabulary);
    return tokens;
}

Rates summary(std::vector<double> rates) {
    if (rates.empty()) return {};
    std::ranges::sort(rates);
    const std::size_t half = rates.size() / 2;
    return {rates.size() % 2 == 1 ? rates[half] : (rates[half - 1] + rates[half]) / 2, rates.front(), rates.back()};
}

class Bench {
public:
    Bench(Session& session, const BenchmarkOptions& options, const Progress& progress)
        : m_session(session), m_options(options), m_progress(progress), m_sampler(text::SamplingOptions{}),
          m_tokens(someTokens(std::max(options.prompt, options.depth) + 1, session.engine().vocabulary())) {
        m_session.needRanked(m_sampler.neededLogits());
    }

    Result<Benchmarked> run() {
        std::vector<double> reading, writing;
        for (std::size_t i = 0; i <= m_options.repeat; ++i) {
            WB_TRY(m_progress.at(i, m_options.repeat + 1));
            WB_TRY_ASSIGN(const double read, readPrompt());
            WB_TRY_ASSIGN(const double written, writeTokens());
            if (i == 0) continue;
            if (read > 0) reading.push_back(read);
            if (written > 0) writing.push_back(written);
        }
        return Benchmarked{summary(std::move(reading)), summary(std::move(writing))};
    }

private:
    // The first repetition fills the cache to its depth; later ones keep that part.
    Result<void> toDepth() {
        m_session.truncate(m_options.depth);
        const std::size_t held = m_session.tokens().size();
        return m_session.append(std::span(m_tokens).subspan(held, m_options.depth - held), {m_progress.stop, {}});
    }

    Result<double> readPrompt() {
        if (m_options.prompt == 0) return 0;
        WB_TRY(toDepth());
        const auto begin = Clock::now();
        WB_TRY(m_session.append(std::span(m_tokens).first(m_options.prompt), {m_progress.stop, {}}));
        return rateSince(begin, m_options.prompt);
    }

    Result<double> writeTokens() {
        if (m_options.generate == 0) return 0;
        WB_TRY(toDepth());
        Token token = m_tokens.back();
        const auto begin = Clock::now();
        for (std::size_t i = 0; i < m_options.generate; ++i) {
            if (i + 1 < m_options.generate) m_session.expectDraw(m_sampler.nextDraw());
            WB_TRY(m_session.append(std::span(&token, 1), {m_progress.stop, {}}));
            token = m_session.ranked().empty() ? m_sampler.sample(m_session.logits(), m_session.tokens())
                                               : m_sampler.sample(m_session.ranked());
        }
        return rateSince(begin, m_options.generate);
    }

    Session& m_session;
    const BenchmarkOptions& m_options;
    const Progress& m_progress;
    text::Sampler m_sampler;
    std::vector<Token> m_tokens;
};

} // namespace

Result<Benchmarked> benchmark(Session& session, const BenchmarkOptions& options, const Progress& progress) {
    return Bench(session, options, progress).run();
}

} // namespace wb::infer

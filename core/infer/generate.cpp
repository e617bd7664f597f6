// SPDX-License-Identifier: MIT
#include "core/infer/generate.h"

#include "core/infer/reasoning_budget.h"
#include "core/infer/text_stream.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace wb::infer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t tagTokens = 16; // that a tag may have at the end of a prompt, blanks and all

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double rate(std::size_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

class Generation {
public:
    Generation(Session& session, const text::Tokenizer& tokenizer, const GenerateOptions& options, const TextSink& sink)
        : m_session(session), m_tokenizer(tokenizer), m_options(options), m_sink(sink), m_sampler(withoutEnds()),
          m_stream(options.stopStrings) {
        m_session.needRanked(m_sampler.neededLogits());
    }
    ~Generation() { m_session.needRanked(0); }
    Generation(const Generation&) = delete;
    Generation& operator=(const Generation&) = delete;

    Result<Generated> run(std::span<const Token> prompt, const Progress& progress) {
        m_result.promptTokens = prompt.size();
        WB_TRY_ASSIGN(const bool read, readPrompt(prompt, progress));
        if (!read) return end(FinishReason::Stopped);
        m_budget = {m_options.reasoningBudget, m_tokenizer.decode(prompt.last(std::min(prompt.size(), tagTokens)), true)};
        const auto begin = Clock::now();
        std::optional<FinishReason> cause;
        while (!cause) {
            WB_TRY_ASSIGN(cause, m_budget.mustEnd() ? endReasoning(progress.stop) : step(progress.stop));
        }
        m_result.generateSeconds = secondsSince(begin);
        show(m_stream.finish());
        return end(*cause);
    }

private:
    text::SamplingOptions withoutEnds() const {
        text::SamplingOptions sampling = m_options.sampling;
        const auto& vocabulary = m_tokenizer.vocabulary();
        sampling.suppressed.insert(sampling.suppressed.end(), vocabulary.suppressed.begin(), vocabulary.suppressed.end());
        if (m_options.ignoreEnd)
            sampling.suppressed.insert(sampling.suppressed.end(), vocabulary.endOfGeneration.begin(),
                                       vocabulary.endOfGeneration.end());
        return sampling;
    }

    // False where it was stopped.
    Result<bool> readPrompt(std::span<const Token> prompt, const Progress& progress) {
        const std::size_t context = m_session.engine().context();
        if (prompt.empty() || prompt.size() >= context)
            return fail(
                ErrorCode::TooLarge, Reason("infer.context"),
                WB_TEXT("The prompt has {} tokens and, together with a response, does not fit in the context of {} tokens."),
                prompt.size(), context);
        m_result.reusedTokens = m_session.reusable(prompt);
        const auto begin = Clock::now();
        const auto read = m_session.replace(prompt, progress);
        m_result.promptSeconds = secondsSince(begin);
        if (read) return true;
        if (read.error().code == ErrorCode::Canceled) return false;
        return std::unexpected(read.error());
    }

    // Draws one token; the reason if the answer ends.
    Result<std::optional<FinishReason>> step(const std::stop_token& stop) {
        if (stop.stop_requested()) return FinishReason::Stopped;
        const Token token = m_session.ranked().empty() ? m_sampler.sample(m_session.logits(), m_session.tokens())
                                                       : m_sampler.sample(m_session.ranked());
        if (m_tokenizer.vocabulary().endOfGeneration.contains(token))
            return m_budget.wasCut() ? FinishReason::Budget : FinishReason::EndOfText;
        m_budget.add(m_tokenizer.piece(token, true));
        return take(token, stop);
    }

    // Writes what the model would not.
    Result<std::optional<FinishReason>> endReasoning(const std::stop_token& stop) {
        text::EncodeOptions options;
        options.addSpecial = false;
        WB_TRY_ASSIGN(const std::vector<Token> ending, m_tokenizer.encode(ReasoningBudget::ending, options));
        m_budget.setEnded();
        std::optional<FinishReason> cause;
        for (std::size_t i = 0; i < ending.size() && !cause; ++i) {
            WB_TRY_ASSIGN(cause, take(ending[i], stop));
        }
        return cause;
    }

    // The next token of the answer; the reason if the answer ends.
    Result<std::optional<FinishReason>> take(Token token, const std::stop_token& stop) {
        m_result.tokens.push_back(token);
        show(m_stream.add(m_tokenizer.piece(token)));
        if (!m_stream.found().empty()) return FinishReason::StopString;
        if (m_options.maxTokens > 0 && m_result.tokens.size() >= m_options.maxTokens) return FinishReason::Length;
        if (m_session.room() == 0) return FinishReason::Context;
        const bool isLast = m_options.maxTokens > 0 && m_result.tokens.size() + 1 >= m_options.maxTokens;
        if (!isLast) m_session.expectDraw(m_sampler.nextDraw());
        const auto read = m_session.append(std::span(&token, 1), Progress{stop, {}});
        if (read) return std::nullopt;
        if (read.error().code == ErrorCode::Canceled) return FinishReason::Stopped;
        return std::unexpected(read.error());
    }

    void show(const std::string& text) {
        if (text.empty()) return;
        m_result.text += text;
        if (m_sink) m_sink(text);
    }

    Generated end(FinishReason cause) {
        m_result.cause = cause;
        m_result.stopString = m_stream.found();
        return std::move(m_result);
    }

    Session& m_session;
    const text::Tokenizer& m_tokenizer;
    const GenerateOptions& m_options;
    const TextSink& m_sink;
    text::Sampler m_sampler;
    TextStream m_stream;
    ReasoningBudget m_budget{{}, {}};
    Generated m_result;
};

} // namespace

double Generated::promptRate() const { return rate(promptTokens - std::min(reusedTokens, promptTokens), promptSeconds); }
double Generated::generateRate() const { return rate(tokens.size(), generateSeconds); }

Result<Generated> generate(Session& session, const text::Tokenizer& tokenizer, std::span<const Token> prompt,
                           const GenerateOptions& options, const TextSink& sink, const Progress& progress) {
    WB_TRY(text::checkSampling(options.sampling));
    return Generation(session, tokenizer, options, sink).run(prompt, progress);
}

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/finish_reason.h"
#include "core/infer/session.h"
#include "core/text/sampler.h"
#include "core/text/tokenizer.h"

#include <functional>
#include <optional>
#include <string>

namespace wb::infer {

struct GenerateOptions {
    text::SamplingOptions sampling;
    std::size_t maxTokens = 0; // 0: to the end of the context
    std::vector<std::string> stopStrings;
    bool ignoreEnd = false;                     // tokens that end the text are never drawn
    std::optional<std::size_t> reasoningBudget; // tokens between <think> and </think>, which is then written; absent: any number
};

struct Generated {
    std::string text;          // whole characters, without the end token and the stop string
    std::vector<Token> tokens; // sampled ones without the end token
    std::size_t promptTokens = 0;
    std::size_t reusedTokens = 0; // of the prompt, which the session held already
    FinishReason cause = FinishReason::EndOfText;
    std::string stopString;
    double promptSeconds = 0;   // reading the prompt
    double generateSeconds = 0; // from the first sampled token on

    double promptRate() const; // tokens per second; 0 where nothing was timed
    double generateRate() const;
};

// Shows text as it comes: whole characters, never a part of a stop string.
using TextSink = std::function<void(std::string_view text)>;

// Reads the prompt and draws tokens until something ends the answer. A requested stop is no error: the answer so far is the result.
// The prompt must fit with one token to spare, else TooLarge with the word context. Progress counts the tokens of the prompt.
Result<Generated> generate(Session& session, const text::Tokenizer& tokenizer, std::span<const Token> prompt,
                           const GenerateOptions& options, const TextSink& sink, const Progress& progress);

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/generate.h"
#include "core/text/sampler.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::chat {

// How a response is generated, on this computer or by a server. An absent number is the model's own.
struct CompletionSettings {
    std::optional<double> temperature, topP, minP, typicalP, repeatPenalty, presencePenalty, frequencyPenalty;
    std::optional<double> dryMultiplier, dryBase, xtcProbability, xtcThreshold, mirostatTau, mirostatEta;
    std::optional<double> adaptiveTarget, adaptiveDecay;
    std::optional<int> topK, repeatLast, dryAllowed, dryLast, mirostat;
    std::optional<std::uint32_t> seed;          // absent: another one for every response
    std::optional<std::size_t> maxTokens;       // absent or 0: to the end of the context
    std::optional<std::size_t> reasoningBudget; // tokens between <think> and </think>; absent: any number
    std::vector<std::string> stopStrings;
    bool ignoreEnd = false;                          // tokens that end the text are never drawn
    std::map<text::TokenId, float> tokenBias;        // added to the logits
    std::shared_ptr<const text::TokenGrammar> rules; // null: as responseSchema says
    std::string responseSchema;                      // JSON Schema that responses match; empty: any text
    std::string chatTemplate;                        // in Jinja, instead of the model's own; empty: that one

    friend bool operator==(const CompletionSettings&, const CompletionSettings&) = default;
};

// The model's own sampling, with what the settings change.
text::SamplingOptions samplingWith(const CompletionSettings& settings, text::SamplingOptions own);

// The settings as infer::generate() takes them. Invalid: a number outside its range (reason sampling.range), a bias for a token
// that the vocabulary does not have (reason generate.bias_token).
Result<infer::GenerateOptions> generateOptions(const CompletionSettings& settings, const text::SamplingOptions& own,
                                               const text::Tokenizer& tokenizer);

} // namespace wb::chat

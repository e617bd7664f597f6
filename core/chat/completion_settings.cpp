// SPDX-License-Identifier: MIT
#include "core/chat/completion_settings.h"

#include <random>

namespace wb::chat {
namespace {

struct RealSetting {
    std::optional<double> CompletionSettings::* from;
    float text::SamplingOptions::* into;
};

struct WholeSetting {
    std::optional<int> CompletionSettings::* from;
    int text::SamplingOptions::* into;
};

constexpr RealSetting realSettings[] = {
    {&CompletionSettings::temperature, &text::SamplingOptions::temperature},
    {&CompletionSettings::topP, &text::SamplingOptions::topP},
    {&CompletionSettings::minP, &text::SamplingOptions::minP},
    {&CompletionSettings::typicalP, &text::SamplingOptions::typicalP},
    {&CompletionSettings::repeatPenalty, &text::SamplingOptions::repeatPenalty},
    {&CompletionSettings::presencePenalty, &text::SamplingOptions::presencePenalty},
    {&CompletionSettings::frequencyPenalty, &text::SamplingOptions::frequencyPenalty},
    {&CompletionSettings::dryMultiplier, &text::SamplingOptions::dryMultiplier},
    {&CompletionSettings::dryBase, &text::SamplingOptions::dryBase},
    {&CompletionSettings::xtcProbability, &text::SamplingOptions::xtcProbability},
    {&CompletionSettings::xtcThreshold, &text::SamplingOptions::xtcThreshold},
    {&CompletionSettings::mirostatTau, &text::SamplingOptions::mirostatTau},
    {&CompletionSettings::mirostatEta, &text::SamplingOptions::mirostatEta},
    {&CompletionSettings::adaptiveTarget, &text::SamplingOptions::adaptiveTarget},
    {&CompletionSettings::adaptiveDecay, &text::SamplingOptions::adaptiveDecay},
};

constexpr WholeSetting wholeSettings[] = {
    {&CompletionSettings::topK, &text::SamplingOptions::topK},
    {&CompletionSettings::repeatLast, &text::SamplingOptions::repeatLast},
    {&CompletionSettings::dryAllowed, &text::SamplingOptions::dryAllowed},
    {&CompletionSettings::dryLast, &text::SamplingOptions::dryLast},
    {&CompletionSettings::mirostat, &text::SamplingOptions::mirostat},
};

} // namespace

text::SamplingOptions samplingWith(const CompletionSettings& settings, text::SamplingOptions own) {
    for (const RealSetting& setting : realSettings)
        if (const auto& value = settings.*setting.from) own.*setting.into = static_cast<float>(*value);
    for (const WholeSetting& setting : wholeSettings)
        if (const auto& value = settings.*setting.from) own.*setting.into = *value;
    own.seed = settings.seed ? *settings.seed : std::random_device()();
    own.logitBias.insert(settings.tokenBias.begin(), settings.tokenBias.end());
    own.grammar = settings.rules;
    return own;
}

Result<infer::GenerateOptions> generateOptions(const CompletionSettings& settings, const text::SamplingOptions& own,
                                               const text::Tokenizer& tokenizer) {
    infer::GenerateOptions options;
    options.sampling = samplingWith(settings, own);
    WB_TRY(text::checkSampling(options.sampling));
    const std::size_t vocabulary = tokenizer.vocabulary().tokens.size();
    for (const auto& [id, value] : settings.tokenBias)
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
            return fail(ErrorCode::Invalid, Reason("generate.bias_token"),
                        WB_TEXT("A logit bias uses the token {}, but the vocabulary has the tokens 0 to {}."), id, vocabulary - 1);
    if (options.sampling.dryMultiplier > 0) options.sampling.dryBreakers = text::dryBreakers(tokenizer);
    options.maxTokens = settings.maxTokens.value_or(0);
    options.stopStrings = settings.stopStrings;
    options.ignoreEnd = settings.ignoreEnd;
    options.reasoningBudget = settings.reasoningBudget;
    return options;
}

} // namespace wb::chat

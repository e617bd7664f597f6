// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/sampler.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wb::chat {

// What a conversation keeps beside its turns, in ConversationHead::settings. What is absent is as the model's author set it.
struct ConversationSettings {
    std::int64_t leftOut = 0; // turns up to this one are not given to the model any more; 0: all are
    std::string instruction;  // the system's part; empty: none
    std::optional<double> temperature, topP, minP, repeatPenalty, dryMultiplier, xtcProbability;
    std::optional<int> topK;
    std::optional<std::uint32_t> seed;          // absent: another for every answer
    std::optional<std::size_t> maxTokens;       // absent: to the end of the context
    std::optional<std::size_t> reasoningBudget; // tokens between <think> and </think>; absent: any number

    // Puts what is set in the place of the model's own.
    void applyTo(text::SamplingOptions& options) const;
    bool changesSampling() const;
    void resetSampling();

    friend bool operator==(const ConversationSettings&, const ConversationSettings&) = default;
};

// What is no JSON object, or of another shape or out of range, counts as absent: settings come from a file.
ConversationSettings settingsOf(const std::string& json);
std::string jsonOf(const ConversationSettings& settings);

// Ways to answer that can be chosen at once.
enum class Preset : std::uint8_t { ModelsOwn, Exact, Balanced, Lively };
// Without the leftOut, instruction, seed and limits, which a preset leaves as they are.
void applyPreset(Preset preset, ConversationSettings& settings);
// The preset whose sampling this is; empty: none of them.
std::optional<Preset> presetOf(const ConversationSettings& settings);

} // namespace wb::chat

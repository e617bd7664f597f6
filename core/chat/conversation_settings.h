// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/completion_settings.h"
#include "core/chat/conversation.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wb::chat {

// The settings of one conversation, kept in ConversationHead::settings.
struct ConversationSettings : CompletionSettings {
    std::int64_t leftOut = 0; // the model no longer receives the turns up to this one; 0: it gets all
    std::string instruction;  // the system prompt; empty: none

    bool changesSampling() const;
    void resetSampling();

    friend bool operator==(const ConversationSettings&, const ConversationSettings&) = default;
};

// The messages that the model gets in order to continue after `turn`: the system prompt, then the branch through it.
std::vector<Message> messagesFor(const Conversation& conversation, const ConversationSettings& settings, std::int64_t turn);

// Text that is not a JSON object, or members of another shape or out of range, counts as absent: settings come from a file.
ConversationSettings settingsFromJson(const std::string& json);
std::string settingsJson(const ConversationSettings& settings);

// Ways to answer that can be chosen at once.
enum class Preset : std::uint8_t { Defaults, Greedy, Balanced, Creative };
// Without the leftOut, instruction, seed and limits, which a preset leaves as they are.
void applyPreset(Preset preset, ConversationSettings& settings);
// The preset whose sampling this is; empty: none of them.
std::optional<Preset> matchingPreset(const ConversationSettings& settings);

} // namespace wb::chat

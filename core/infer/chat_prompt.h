// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"
#include "core/model/model.h"
#include "core/text/chat_template.h"
#include "core/text/tokenizer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace wb::infer {

// One turn of a conversation.
struct ChatMessage {
    std::string role; // "system", "user", "assistant"
    std::string content;

    friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

// The tokens that a model reads before it answers the last message: the conversation in the form of the model's own template, in
// which what people wrote spells no special token. A model without a template reads the texts one after the other and goes on with
// them.
Result<std::vector<Token>> chatPrompt(const Model& model, const text::Tokenizer& tokenizer, std::span<const ChatMessage> messages,
                                      const std::stop_token& stop = {});

// The tokens of what a template wrote: stretches of the conversation spell no special token, and the first token stands once.
Result<std::vector<Token>> encodePrompt(const text::Tokenizer& tokenizer, const text::Prompt& prompt,
                                        const std::stop_token& stop = {});

} // namespace wb::infer

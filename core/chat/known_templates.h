// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_settings.h"
#include "core/text/tokenizer.h"

#include <span>
#include <string_view>

// Chat templates for models whose file has none, or a wrong one.
namespace wb::chat {

// A usual form of conversations, in Jinja. The forms are those of ggml-org/llama.cpp, src/llama-chat.cpp.
struct KnownTemplate {
    std::string_view name;   // "ChatML"; a proper noun in every language
    std::string_view marker; // a token that models trained on this form have; empty: plain text alone
    std::string_view source;
    std::string_view stop; // a text that ends a response, where no token does; empty: none
};

// The most specific first; the last needs no special token.
std::span<const KnownTemplate> knownTemplates();

// The first whose marker is in the vocabulary.
const KnownTemplate& suitableTemplate(const text::Vocabulary& vocabulary);

// The one of this source; null: none.
const KnownTemplate* findTemplate(std::string_view source);

// Makes it the template of the settings, with the text that ends its responses in place of that of the one before. An empty source:
// the model's own.
void applyTemplate(const std::string& source, ConversationSettings& settings);

} // namespace wb::chat

// SPDX-License-Identifier: MIT
#include "core/chat/prompt.h"

#include "core/chat/chat_document.h"
#include "core/io/byte_source.h"
#include "core/text/jinja/json_values.h"

#include <chrono>
#include <ctime>

namespace wb::chat {
namespace {

std::string messagesJson(std::span<const Message> messages) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    writeMessages(json, messages);
    json.finish();
    return text;
}

std::tm now() {
    const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm local{};
#ifdef _WIN32
    localtime_s(&local, &time);
#else
    localtime_r(&time, &local);
#endif
    return local;
}

// The text of a token that a template may write; empty if the vocabulary lacks it.
std::string tokenIdText(const text::Tokenizer& tokenizer, text::TokenId id) {
    return tokenizer.vocabulary().isValid(id) ? tokenizer.piece(id, true) : std::string();
}

// The texts one after the other, for models that were not trained on conversations.
Result<std::vector<infer::Token>> plainPrompt(const text::Tokenizer& tokenizer, std::span<const Message> messages,
                                              const std::stop_token& stop) {
    std::string joined;
    for (const Message& message : messages) joined += message.content;
    text::EncodeOptions options;
    options.parseSpecial = false;
    options.stop = stop;
    return tokenizer.encode(joined, options);
}

Result<text::Prompt> chatText(const text::ChatTemplate& parsed, const text::Tokenizer& tokenizer, std::span<const Message> messages,
                              const std::stop_token& stop) {
    text::Conversation conversation;
    conversation.messages = text::jinja::valueOfJson(messagesJson(messages)).value_or(text::jinja::Value::none());
    conversation.bosToken = tokenIdText(tokenizer, tokenizer.vocabulary().special.bos);
    conversation.eosToken = tokenIdText(tokenizer, tokenizer.vocabulary().special.eos);
    conversation.now = now();
    text::jinja::Bounds bounds;
    bounds.stop = stop;
    return parsed.render(conversation, bounds);
}

} // namespace

Result<std::vector<infer::Token>> chatPrompt(const Model& model, const text::Tokenizer& tokenizer,
                                             std::span<const Message> messages, const std::stop_token& stop,
                                             const std::string& chatTemplate) {
    const auto source = chatTemplate.empty() ? text::modelTemplate(model, false) : std::optional(chatTemplate);
    if (!source) return plainPrompt(tokenizer, messages, stop);
    const std::string name = chatTemplate.empty() ? io::baseName(model.path) : "chat template"; // errors name it
    WB_TRY_ASSIGN(const auto parsed, text::ChatTemplate::parse(*source, name));
    const bool isContinued = !messages.empty() && messages.back().role == Role::Assistant;
    const std::span<const Message> asked = messages.first(messages.size() - (isContinued ? 1 : 0));
    WB_TRY_ASSIGN(const text::Prompt prompt, chatText(parsed, tokenizer, asked, stop));
    WB_TRY_ASSIGN(std::vector<infer::Token> tokens, encodePrompt(tokenizer, prompt, stop));
    if (!isContinued) return tokens;
    const text::EncodeOptions plain{.addSpecial = false, .parseSpecial = false, .stop = stop};
    WB_TRY_ASSIGN(const std::vector<infer::Token> begun, tokenizer.encode(messages.back().content, plain));
    tokens.insert(tokens.end(), begun.begin(), begun.end());
    return tokens;
}

Result<std::vector<infer::Token>> encodePrompt(const text::Tokenizer& tokenizer, const text::Prompt& prompt,
                                               const std::stop_token& stop) {
    text::EncodeOptions options;
    options.stop = stop;
    // The template may write the first token itself.
    const std::string bos = tokenIdText(tokenizer, tokenizer.vocabulary().special.bos);
    options.addSpecial = bos.empty() || !prompt.text.starts_with(bos);
    return tokenizer.encode(prompt.text, options, prompt.literal);
}

} // namespace wb::chat

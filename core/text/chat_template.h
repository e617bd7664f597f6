// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/value.h"

#include <ctime>

// Chat templates: the Jinja language as transformers runs it, rendered to a prompt (docs/reference/tokenizers.md, "Which template,
// which variables").
namespace wb::text {

// The input of a template. Values come from JSON (jinja::valueOfJson).
struct Conversation {
    jinja::Value messages;
    jinja::Value tools = jinja::Value::none();
    bool addGenerationPrompt = true;
    std::string bosToken;
    std::string eosToken;
    std::vector<std::pair<std::string, jinja::Value>> variables; // further ones, such as enable_thinking
    std::tm now{};
};

// A prompt, and the stretches of it that the conversation's own texts fill: no special token is recognized there.
struct Prompt {
    std::string text;
    std::vector<Stretch> literal;
};

// The name of a template's failure: the Error's reason is one of these, its detail the line.
inline constexpr Reason templateError{"template.template_error"};
inline constexpr Reason undefinedError{"template.undefined_error"};
inline constexpr Reason typeError{"template.type_error"};
inline constexpr Reason securityError{"template.security_error"};

// "TemplateError", "UndefinedError", "TypeError" or "SecurityError"; the first also for what ended a template otherwise.
const char* errorFailureClass(const Error& error);

// A parsed template. Immutable and thread-safe.
class ChatTemplate {
public:
    // `name` is of the file or model, for sentences. Malformed with the line.
    static Result<ChatTemplate> parse(std::string_view source, std::string name);

    // Malformed with the class, the line and the template's own message; Canceled. Never reaches anything but the conversation.
    Result<Prompt> render(const Conversation& conversation, const jinja::Bounds& bounds = {}) const;

private:
    struct Program;
    std::shared_ptr<const Program> m_program;
    std::string m_name;
};

// The template of an open model: tokenizer.chat_template, or its variant tool_use where there are tools; empty if none exists.
std::optional<std::string> modelTemplate(const Model& model, bool hasTools);

} // namespace wb::text

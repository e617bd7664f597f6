// SPDX-License-Identifier: MIT
#include "core/text/chat_template.h"

#include "core/base/text.h"
#include "core/text/jinja/interpreter.h"

#include <new>

namespace wb::text {
namespace {

constexpr unsigned maxSourceDepth = 200;
constexpr std::size_t maxSourceBytes = 16u << 20;

Reason failureClassReason(jinja::FailureClass failureClass) {
    switch (failureClass) {
    case jinja::FailureClass::Template: return templateError;
    case jinja::FailureClass::Undefined: return undefinedError;
    case jinja::FailureClass::Type: return typeError;
    case jinja::FailureClass::Security: return securityError;
    }
    return templateError;
}

std::unexpected<Error> failed(const std::string& name, const jinja::Failure& failure) {
    const std::string message(utf8Prefix(failure.message, 300));
    Error error = failure.line == 0 ? makeError(ErrorCode::Malformed, failureClassReason(failure.failureClass),
                                                WB_TEXT("The chat template of {} fails with {}: {}"), name,
                                                jinja::name(failure.failureClass), message)
                                    : makeError(ErrorCode::Malformed, failureClassReason(failure.failureClass),
                                                WB_TEXT("The chat template of {} fails with {} on line {}: {}"), name,
                                                jinja::name(failure.failureClass), failure.line, message);
    error.detail = failure.line == 0 ? std::string() : fmt::format("{}", failure.line);
    return std::unexpected(about(name, std::move(error)));
}

} // namespace

const char* errorFailureClass(const Error& error) {
    using jinja::FailureClass;
    for (const FailureClass failureClass : {FailureClass::Undefined, FailureClass::Type, FailureClass::Security})
        if (error.reason == failureClassReason(failureClass)) return jinja::name(failureClass);
    return jinja::name(FailureClass::Template);
}

struct ChatTemplate::Program {
    jinja::Block block;
};

Result<ChatTemplate> ChatTemplate::parse(std::string_view source, std::string name) {
    if (!isUtf8(source) || source.size() > maxSourceBytes)
        return fail(ErrorCode::Malformed, Reason("template.text"),
                    WB_TEXT("The chat template of {} is not text; download it again."), name);
    try {
        ChatTemplate made;
        made.m_program = std::make_shared<const Program>(Program{jinja::parse(source, maxSourceDepth)});
        made.m_name = std::move(name);
        return made;
    } catch (const jinja::Failure& failure) {
        return failed(name, failure);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

Result<Prompt> ChatTemplate::render(const Conversation& conversation, const jinja::Bounds& bounds) const {
    using jinja::Value;
    std::vector<std::pair<std::string, Value>> variables = {{"messages", conversation.messages},
                                                            {"tools", conversation.tools},
                                                            {"documents", Value::none()},
                                                            {"add_generation_prompt", Value::of(conversation.addGenerationPrompt)},
                                                            {"bos_token", Value::of(conversation.bosToken)},
                                                            {"eos_token", Value::of(conversation.eosToken)}};
    variables.insert(variables.end(), conversation.variables.begin(), conversation.variables.end());
    jinja::Meter meter(bounds);
    try {
        jinja::Text text = jinja::render(m_program->block, variables, conversation.now, meter);
        return Prompt{std::move(text.bytes), std::move(text.literal)};
    } catch (const jinja::Failure& failure) {
        if (meter.wasStopped()) return fail(ErrorCode::Canceled, Reason("template.cancelled"), WB_TEXT("Rendering canceled."));
        return failed(m_name, failure);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

std::optional<std::string> modelTemplate(const Model& model, bool hasTools) {
    const auto textOf = [&](std::string_view key) -> std::optional<std::string> {
        const wb::Value* const value = model.metadata.find(key);
        return value && value->string() ? std::optional(*value->string()) : std::nullopt;
    };
    if (hasTools)
        if (auto forTools = textOf("tokenizer.chat_template.tool_use")) return forTools;
    return textOf("tokenizer.chat_template");
}

} // namespace wb::text

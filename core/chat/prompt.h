// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/message.h"
#include "core/infer/engine.h"
#include "core/model/model.h"
#include "core/text/chat_template.h"
#include "core/text/tokenizer.h"

#include <span>
#include <stop_token>
#include <vector>

namespace wb::chat {

// The tokens that a model reads before it responds to the last message: the conversation in the form of the model's own template.
// Text of a message never becomes a special token. A last message of the assistant is continued: its text follows without the end
// of a turn. For a model without a template: the texts one after the other. `chatTemplate` replaces the model's own unless it is
// empty.
Result<std::vector<infer::Token>> chatPrompt(const Model& model, const text::Tokenizer& tokenizer,
                                             std::span<const Message> messages, const std::stop_token& stop = {},
                                             const std::string& chatTemplate = {});

// The tokens of a rendered template: the stretches that come from messages become no special token, and the first token of the
// text is not repeated where the template writes it.
Result<std::vector<infer::Token>> encodePrompt(const text::Tokenizer& tokenizer, const text::Prompt& prompt,
                                               const std::stop_token& stop = {});

} // namespace wb::chat

// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/completion_settings.h"
#include "core/chat/event_queue.h"
#include "core/chat/message.h"

#include <stop_token>
#include <vector>

namespace wb::chat {

// Generates responses to conversations: on this computer (LocalCompleter) or by a server. Requests run one after the other in order
// of their start. Thread-safe. Destruction drops what waits, requests a stop on the source of what runs and waits for it.
class Completer {
public:
    Completer() = default;
    virtual ~Completer() = default;
    Completer(const Completer&) = delete;
    Completer& operator=(const Completer&) = delete;

    // Starts the response to the last message and returns at once. A last message of the assistant is continued. The events of the
    // response go to the sink; the last one is Completed or Failed. A requested stop is no error: the text so far is Completed,
    // with FinishReason::Stopped.
    virtual void start(std::vector<Message> messages, CompletionSettings settings, EventSink sink, std::stop_source stop) = 0;
};

} // namespace wb::chat

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::infer {

// Why a response ended.
enum class FinishReason : std::uint8_t {
    Unfinished, // it is being generated, or the program ended in the middle of it
    EndOfText,  // the model drew a token that ends the text
    Length,     // the limit of tokens
    StopString,
    Context, // the context is full
    Stopped, // by the user
    Budget,  // the model ended it after the reasoning budget had ended its reasoning
    Error,
};

// "", "eos", "length", "stop string", "context", "stopped", "budget", "error": in JSON (docs/reference/command_line.md, "generate")
// and in the database of conversations.
const char* finishReasonName(FinishReason reason);
std::optional<FinishReason> findFinishReason(std::string_view name);

} // namespace wb::infer

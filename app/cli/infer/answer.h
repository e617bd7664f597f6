// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"
#include "core/base/json_writer.h"
#include "core/chat/completion_settings.h"
#include "core/infer/backend.h"
#include "core/infer/generate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What generate and chat share.
namespace wb::cli {

// How `wb generate` and `wb chat` answer, as typed.
struct AnswerOptions : chat::CompletionSettings {
    std::size_t context = 0;                        // 0: the usual one, or the longest that memory is free for
    std::optional<std::string> grammar, jsonSchema; // files, at most one
    std::vector<std::string> logitBias;             // ID=V
    infer::EngineOptions engine;                    // its context is the one above
    bool forgetsLoad = false;                       // the memory that the load has claimed is not recorded
};

// Declares them.
void addAnswer(CLI::App& command, AnswerOptions& options);

// The settings with the grammar read and the biases parsed; the seed is chosen if none was given. Invalid for wrong usage: the
// reasons generate.bias and sampling.range. A grammar that cannot be read or used is an error about its file.
Result<chat::CompletionSettings> answerSettings(const AnswerOptions& options, const Model& model, const text::Tokenizer& tokenizer);

// The options of the engine, with the context.
infer::EngineOptions engineOptions(const AnswerOptions& options);

// The object of docs/reference/command_line.md, "generate".
void writeAnswer(JsonWriter& json, const infer::Generated& generated, const std::string& device, std::size_t context,
                 std::uint32_t seed);

// The exit status of a failed run, its sentence said.
int refuseAnswer(const Context& context, const Error& error, const std::string& model);

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/infer/generate.h"
#include "core/base/json_writer.h"
#include "core/infer/backend.h"
#include "core/infer/generate.h"

// What generate and chat share.
namespace wb::cli {

// The options with the grammar read and the biases parsed; the seed is chosen if none was given. Invalid for what is wrong usage:
// the reasons generate.bias and sampling.range. A grammar that cannot be read or used is an error about its file.
Result<chat::CompletionSettings> answerSettings(const AnswerOptions& options, const Model& model, const text::Tokenizer& tokenizer);

// The cache: its tokens and types; and the layers on the graphics device. Invalid, with the reasons cacheType and gpuLayerCount,
// for types that no cache has and for anything but a number of layers.
Result<infer::EngineOptions> engineOptions(const Context& context, const AnswerOptions& options);

// The object of docs/reference/command_line.md, "generate".
void writeAnswer(JsonWriter& json, const infer::Generated& generated, const std::string& device, std::size_t context,
                 std::uint32_t seed);

// The exit status of a failed run, its sentence printed.
int refuseAnswer(const Context& context, const Error& error, const std::string& model);

} // namespace wb::cli

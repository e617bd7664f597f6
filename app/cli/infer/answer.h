// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/infer/generate.h"
#include "core/base/json_writer.h"
#include "core/infer/backend.h"
#include "core/infer/generate.h"

// What generate and chat share.
namespace wb::cli {

// The options as the engine takes them. Invalid for what is wrong usage: the reasons generate.bias and sampling.range.
// A grammar that cannot be read or used is an error about its file.
Result<infer::GenerateOptions> answerOptions(const AnswerOptions& options, const Model& model, const text::Tokenizer& tokenizer);

// The cache: tokens it shall hold, and its types; and what lies on the graphics device. Invalid, with the reasons cacheType and
// gpuLayerCount, for types that no cache has and what is no number of layers.
Result<infer::EngineOptions> engineOptions(const AnswerOptions& options, std::uint64_t modelContext);

// The object of docs/reference/command_line.md, "generate".
void writeAnswer(JsonWriter& json, const infer::Generated& generated, const infer::Session& session, std::uint32_t seed);

// The exit status of a failed run, its sentence said.
int refuseAnswer(const Context& context, const Error& error, const std::string& model);

} // namespace wb::cli

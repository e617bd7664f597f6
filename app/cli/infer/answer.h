// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"
#include "core/base/json_writer.h"
#include "core/infer/backend.h"
#include "core/infer/generate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What generate and chat share.
namespace wb::cli {

// How `wb generate` and `wb chat` answer, as typed; what is absent comes from the model's file or the defaults.
struct AnswerOptions {
    std::size_t maxTokens = 0; // 0: to the end of the context
    std::optional<std::size_t> reasoningBudget;
    std::size_t context = 0; // 0: the model's, 8192 at most
    std::optional<float> temperature, topP, minP, typical, repeatPenalty, presencePenalty, frequencyPenalty;
    std::optional<int> topK, repeatLast;
    std::optional<float> dryMultiplier, dryBase, xtcProbability, xtcThreshold, mirostatTau, mirostatEta;
    std::optional<int> dryAllowed, dryLast, mirostat;
    std::optional<float> adaptiveTarget, adaptiveDecay;
    std::optional<std::string> grammar, jsonSchema; // files, at most one
    std::vector<std::string> logitBias;             // ID=V
    std::optional<std::uint32_t> seed;
    std::vector<std::string> stops;
    infer::EngineOptions engine; // its context is the one above
    bool ignoreEos = false;
    bool forgetsLoad = false; // what the load took is not remembered
};

// Declares them.
void addAnswer(CLI::App& command, AnswerOptions& options);

// The options as the engine takes them. Invalid for what is wrong usage: the reasons generate.bias and sampling.range.
// A grammar that cannot be read or used is an error about its file.
Result<infer::GenerateOptions> answerOptions(const AnswerOptions& options, const Model& model, const text::Tokenizer& tokenizer);

// Those of the options for a model of this context, which limits what is used by default.
infer::EngineOptions engineOptions(const AnswerOptions& options, std::uint64_t modelContext);

// The object of docs/reference/command_line.md, "generate".
void writeAnswer(JsonWriter& json, const infer::Generated& generated, const infer::Session& session, std::uint32_t seed);

// The exit status of a failed run, its sentence said.
int refuseAnswer(const Context& context, const Error& error, const std::string& model);

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/infer/answer.h"

#include "app/cli/infer/conversation_file.h"
#include "app/cli/infer/load_model.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/text/grammar/json_schema.h"
#include "core/text/grammar/matcher.h"

#include <algorithm>
#include <charconv>
#include <random>

namespace wb::cli {
namespace {

constexpr std::uint64_t defaultContext = 8192;

template <class T>
void take(const std::optional<T>& from, T& into) {
    if (from) into = *from;
}

// ID=V; nothing for anything else.
std::optional<std::pair<text::TokenId, float>> biasOf(const std::string& words) {
    const std::size_t equals = words.find('=');
    if (equals == std::string::npos) return std::nullopt;
    text::TokenId id = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + equals, id);
    char* valueEnd = nullptr;
    const float value = std::strtof(words.c_str() + equals + 1, &valueEnd);
    const bool whole = error == std::errc() && end == words.data() + equals && *valueEnd == '\0' && equals + 1 < words.size();
    return whole ? std::optional(std::pair(id, value)) : std::nullopt;
}

// Invalid for wrong usage.
Result<text::SamplingOptions> samplingOf(const AnswerOptions& options, const Model& model) {
    text::SamplingOptions sampling = text::modelSampling(model);
    take(options.temperature, sampling.temperature);
    take(options.topK, sampling.topK);
    take(options.topP, sampling.topP);
    take(options.minP, sampling.minP);
    take(options.typical, sampling.typicalP);
    take(options.repeatPenalty, sampling.repeatPenalty);
    take(options.repeatLast, sampling.repeatLast);
    take(options.presencePenalty, sampling.presencePenalty);
    take(options.frequencyPenalty, sampling.frequencyPenalty);
    take(options.dryMultiplier, sampling.dryMultiplier);
    take(options.dryBase, sampling.dryBase);
    take(options.dryAllowed, sampling.dryAllowed);
    take(options.dryLast, sampling.dryLast);
    take(options.xtcProbability, sampling.xtcProbability);
    take(options.xtcThreshold, sampling.xtcThreshold);
    take(options.mirostat, sampling.mirostat);
    take(options.mirostatTau, sampling.mirostatTau);
    take(options.mirostatEta, sampling.mirostatEta);
    take(options.adaptiveTarget, sampling.adaptiveTarget);
    take(options.adaptiveDecay, sampling.adaptiveDecay);
    sampling.seed = options.seed ? *options.seed : std::random_device()();
    for (const std::string& words : options.logitBias) {
        const auto bias = biasOf(words);
        if (!bias) return fail(ErrorCode::Invalid, Reason("generate.bias"), WB_TEXT("{} is no logit bias; write ID=VALUE."), words);
        sampling.logitBias.insert(*bias);
    }
    WB_TRY(text::checkSampling(sampling));
    return sampling;
}

Result<void> checkBiases(const text::SamplingOptions& sampling, std::size_t vocabulary) {
    for (const auto& [id, value] : sampling.logitBias)
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary)
            return fail(ErrorCode::Invalid, Reason("generate.bias_token"),
                        WB_TEXT("A logit bias names the token {}; the vocabulary has the tokens 0 to {}."), id, vocabulary - 1);
    return {};
}

// Of the file that was given; null: any text.
Result<std::shared_ptr<const text::TokenGrammar>> grammarOf(const AnswerOptions& options, const text::Tokenizer& tokenizer) {
    if (!options.grammar && !options.jsonSchema) return nullptr;
    const std::string& path = options.grammar ? *options.grammar : *options.jsonSchema;
    const std::string name = io::baseName(path);
    WB_TRY_ASSIGN(const std::string bytes, readTextFile(path, text::maxGrammarBytes));
    std::string words(withoutByteOrderMark(bytes));
    if (options.jsonSchema) {
        WB_TRY_ASSIGN(words, text::grammarOfSchema(words, name));
    }
    WB_TRY_ASSIGN(text::Grammar grammar, text::Grammar::parse(words, name, &tokenizer));
    return text::TokenGrammar::make(std::move(grammar), tokenizer);
}

} // namespace

Result<infer::GenerateOptions> answerOptions(const AnswerOptions& options, const Model& model, const text::Tokenizer& tokenizer) {
    infer::GenerateOptions out;
    WB_TRY_ASSIGN(out.sampling, samplingOf(options, model));
    WB_TRY(checkBiases(out.sampling, tokenizer.vocabulary().tokens.size()));
    if (out.sampling.dryMultiplier > 0) out.sampling.dryBreakers = text::dryBreakers(tokenizer);
    WB_TRY_ASSIGN(out.sampling.grammar, grammarOf(options, tokenizer));
    out.maxTokens = options.maxTokens;
    out.stopStrings = options.stops;
    out.ignoreEnd = options.ignoreEos;
    out.reasoningBudget = options.reasoningBudget;
    return out;
}

Result<infer::EngineOptions> engineOptions(const AnswerOptions& options, std::uint64_t modelContext) {
    infer::EngineOptions out;
    out.context = options.context > 0 ? options.context : static_cast<std::size_t>(std::min(defaultContext, modelContext));
    WB_TRY(chooseCache(options.cacheTypes, out));
    WB_TRY_ASSIGN(out.gpuLayers, gpuLayersOf(options.gpuLayers));
    return out;
}

void writeAnswer(JsonWriter& json, const infer::Generated& generated, const infer::Session& session, std::uint32_t seed) {
    json.beginObject();
    json.key("text");
    json.string(generated.text);
    json.key("tokens");
    json.integer(generated.tokens.size());
    json.key("prompt_tokens");
    json.integer(generated.promptTokens);
    json.key("ttft_ms");
    json.number(generated.promptSeconds * 1000);
    json.key("prompt_tps");
    json.number(generated.promptRate());
    json.key("generate_tps");
    json.number(generated.generateRate());
    json.key("stop");
    json.string(infer::finishReasonName(generated.cause));
    json.key("stop_string");
    if (generated.stopString.empty()) json.null();
    else json.string(generated.stopString);
    json.key("seed");
    json.integer(seed);
    json.key("device");
    json.string(session.engine().device());
    json.key("context");
    json.integer(session.engine().context());
    json.endObject();
}

int refuseAnswer(const Context& context, const Error& error, const std::string& model) {
    for (const Reason usage : {Reason("generate.bias"), cacheType, gpuLayerCount, Reason("sampling.range")})
        if (error.reason == usage) return refuseUsage(error.message());
    return refuse(context, error, error.subject.empty() ? model : error.subject);
}

} // namespace wb::cli

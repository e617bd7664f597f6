// SPDX-License-Identifier: MIT
#include "app/cli/infer/answer.h"

#include "app/cli/infer/conversation_file.h"
#include "app/cli/infer/load_model.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/text/grammar/json_schema.h"
#include "core/text/grammar/matcher.h"
#include "core/text/model_sampling.h"

#include <algorithm>
#include <charconv>
#include <random>

namespace wb::cli {
namespace {

// ID=V; nothing for anything else.
std::optional<std::pair<text::TokenId, float>> biasFromWords(const std::string& words) {
    const std::size_t equals = words.find('=');
    if (equals == std::string::npos) return std::nullopt;
    text::TokenId id = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + equals, id);
    char* valueEnd = nullptr;
    const float value = std::strtof(words.c_str() + equals + 1, &valueEnd);
    const bool whole = error == std::errc() && end == words.data() + equals && *valueEnd == '\0' && equals + 1 < words.size();
    return whole ? std::optional(std::pair(id, value)) : std::nullopt;
}

Result<std::map<text::TokenId, float>> wordsBiases(const std::vector<std::string>& words) {
    std::map<text::TokenId, float> biases;
    for (const std::string& word : words) {
        const auto bias = biasFromWords(word);
        if (!bias)
            return fail(ErrorCode::Invalid, Reason("generate.bias"), WB_TEXT("{} is not a logit bias; use the form ID=VALUE."),
                        word);
        biases.insert(*bias);
    }
    return biases;
}

// Of the file that was given; null: any text.
Result<std::shared_ptr<const text::TokenGrammar>> optionsGrammar(const AnswerOptions& options, const text::Tokenizer& tokenizer) {
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

Result<chat::CompletionSettings> answerSettings(const AnswerOptions& options, const Model& model,
                                                const text::Tokenizer& tokenizer) {
    chat::CompletionSettings settings = options;
    WB_TRY_ASSIGN(settings.tokenBias, wordsBiases(options.logitBias));
    if (!settings.seed) settings.seed = std::random_device()();
    // Numbers outside their range are refused before a file is read.
    WB_TRY(chat::generateOptions(settings, text::modelSampling(model).options, tokenizer));
    WB_TRY_ASSIGN(settings.rules, optionsGrammar(options, tokenizer));
    return settings;
}

infer::EngineOptions engineOptions(const AnswerOptions& options) {
    infer::EngineOptions out = options.engine;
    out.context = options.context;
    return out;
}

void writeAnswer(JsonWriter& json, const infer::Generated& generated, const std::string& device, std::size_t context,
                 std::uint32_t seed) {
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
    json.string(device);
    json.key("context");
    json.integer(context);
    json.endObject();
}

int refuseAnswer(const Context& context, const Error& error, const std::string& model) {
    for (const Reason usage : {Reason("generate.bias"), Reason("sampling.range")})
        if (error.reason == usage) return refuseUsage(error.message());
    return refuse(context, error, error.subject.empty() ? model : error.subject);
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/generate.h"

#include "app/cli/load_model.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/infer/generate.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <random>

namespace wb::cli {
namespace {

constexpr std::size_t defaultContext = 8192;

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
Result<text::SamplingOptions> samplingOf(const GenerateOptions& options, const Model& model) {
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
    sampling.seed = options.seed ? *options.seed : std::random_device()();
    for (const std::string& words : options.logitBias) {
        const auto bias = biasOf(words);
        if (!bias) return fail(ErrorCode::Invalid, Reason("generate.bias"), WB_TEXT("{} is no logit bias; write ID=VALUE."), words);
        sampling.logitBias.insert(*bias);
    }
    WB_TRY(text::checkSampling(sampling));
    return sampling;
}

// From the words of the command line to the answer.
class GenerateRun {
public:
    GenerateRun(const Context& context, const GenerateOptions& options) : m_context(context), m_options(options) {}

    Result<int> run() {
        WB_TRY_ASSIGN(const infer::Graph graph, planModel(m_context, m_options.model));
        WB_TRY_ASSIGN(m_generate.sampling, samplingOf(m_options, *graph.model));
        WB_TRY_ASSIGN(m_tokenizer, text::Tokenizer::open(*graph.model));
        WB_TRY(encodePrompt());
        const std::size_t modelContext = graph.spec.context;
        const std::size_t context = m_options.context > 0 ? m_options.context : std::min(defaultContext, modelContext);
        WB_TRY(checkPrompt(context));
        infer::cpu::CpuOptions engine;
        engine.context = context;
        WB_TRY_ASSIGN(auto loaded, loadModel(m_context, graph, engine));
        infer::Session session(std::move(loaded));
        return answer(session);
    }

private:
    Result<void> encodePrompt() {
        text::EncodeOptions encode;
        encode.stop = m_context.stop;
        WB_TRY_ASSIGN(m_prompt, m_tokenizer->encode(toUtf8(*m_options.prompt), encode));
        const text::TokenId bos = m_tokenizer->vocabulary().special.bos;
        if (m_prompt.empty() && bos != text::noToken) m_prompt.push_back(bos);
        if (m_prompt.empty())
            return fail(ErrorCode::Unsupported, Reason("generate.empty"),
                        WB_TEXT("The vocabulary of the model has no token to begin with; give a prompt that is not empty."));
        return {};
    }

    // Before the weights are loaded.
    Result<void> checkPrompt(std::size_t context) const {
        if (m_prompt.size() < context) return {};
        return fail(ErrorCode::TooLarge, Reason("infer.context"),
                    WB_TEXT("The prompt has {} tokens; the context of {} tokens must have room for it and an answer."),
                    m_prompt.size(), context);
    }

    Result<int> answer(infer::Session& session) {
        m_generate.maxTokens = m_options.maxTokens;
        m_generate.stopStrings = m_options.stops;
        m_generate.ignoreEnd = m_options.ignoreEos;
        const infer::TextSink sink = [this](std::string_view text) {
            if (m_context.json) return;
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        };
        WB_TRY_ASSIGN(const infer::Generated generated,
                      infer::generate(session, *m_tokenizer, m_prompt, m_generate, sink, Progress{m_context.stop, {}}));
        if (m_context.json) printJson(generated, session);
        else if (!generated.text.ends_with('\n')) std::fputc('\n', stdout);
        return generated.cause == infer::EndCause::Stopped ? cancelledByUser : done;
    }

    void printJson(const infer::Generated& generated, const infer::Session& session) const {
        JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
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
        json.string(infer::endCauseName(generated.cause));
        json.key("stop_string");
        if (generated.stopString.empty()) json.null();
        else json.string(generated.stopString);
        json.key("seed");
        json.integer(m_generate.sampling.seed);
        json.key("device");
        json.string(session.engine().device());
        json.key("context");
        json.integer(session.engine().context());
        json.endObject();
        json.finish();
        std::fputc('\n', stdout);
    }

    const Context& m_context;
    const GenerateOptions& m_options;
    infer::GenerateOptions m_generate;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<infer::Token> m_prompt;
};

} // namespace

int generate(const Context& context, const GenerateOptions& options) {
    if (!options.prompt) return refuseUsage("Give a text to begin with: --prompt TEXT.");
    if (auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto status = GenerateRun(context, options).run();
    if (status) return *status;
    if (status.error().reason == Reason("generate.bias") || status.error().reason == Reason("sampling.range"))
        return refuseUsage(status.error().message());
    return refuse(context, status.error(), options.model);
}

} // namespace wb::cli

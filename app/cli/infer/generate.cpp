// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"

#include "app/cli/infer/answer.h"
#include "app/cli/infer/conversation_file.h"
#include "app/cli/infer/load_model.h"
#include "core/base/text.h"
#include "core/chat/prompt.h"
#include "core/text/model_sampling.h"

#include <cstdio>

namespace wb::cli {
namespace {

// `wb generate` as typed; one of prompt and messages is given.
struct GenerateOptions {
    std::string model;
    std::optional<std::string> prompt, messages; // a text; a file
    AnswerOptions answer;
};

// From the words of the command line to the answer.
class GenerateRun {
public:
    GenerateRun(const Context& context, const GenerateOptions& options) : m_context(context), m_options(options) {}

    Result<int> run() {
        WB_TRY_ASSIGN(const infer::Graph graph, openGraph(m_context, m_options.model));
        WB_TRY_ASSIGN(m_tokenizer, text::Tokenizer::open(*graph.model));
        WB_TRY_ASSIGN(const chat::CompletionSettings settings, answerSettings(m_options.answer, *graph.model, *m_tokenizer));
        WB_TRY_ASSIGN(m_generate, chat::generateOptions(settings, text::modelSampling(*graph.model).options, *m_tokenizer));
        WB_TRY(m_options.prompt ? encodePrompt() : encodeMessages(*graph.model));
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engineOptions(m_options.answer)));
        WB_TRY(checkPrompt(planned.plan.context));
        WB_TRY_ASSIGN(auto loaded, loadModel(m_context, planned, loadStore(m_options.answer.forgetsLoad)));
        m_printed = loaded->remarks().size();
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
                        WB_TEXT("The vocabulary has no start token; enter a non-empty prompt."));
        return {};
    }

    Result<void> encodeMessages(const Model& model) {
        WB_TRY_ASSIGN(const ConversationFile file, ConversationFile::open(*m_options.messages));
        if (file.isArray())
            return fail(
                ErrorCode::Malformed, Reason("generate.messages"), About{*m_options.messages},
                WB_TEXT("{} contains several conversations; expected one object with \"messages\", or an array of messages."),
                *m_options.messages);
        WB_TRY_ASSIGN(const TemplateSource source, TemplateSource::ofModel(model, m_options.model, m_context.stop));
        WB_TRY_ASSIGN(const auto conversation, file.conversation(file.conversations().front(), source.bos, source.eos));
        WB_TRY_ASSIGN(const text::Prompt prompt, source.render(conversation, m_context.stop));
        WB_TRY_ASSIGN(m_prompt, chat::encodePrompt(*m_tokenizer, prompt, m_context.stop));
        return {};
    }

    // Before the weights are loaded.
    Result<void> checkPrompt(std::size_t context) const {
        if (m_prompt.size() < context) return {};
        return fail(ErrorCode::TooLarge, Reason("infer.context"),
                    WB_TEXT("The prompt has {} tokens and, together with a response, does not fit in the context of {} tokens."),
                    m_prompt.size(), context);
    }

    Result<int> answer(infer::Session& session) {
        const infer::TextSink sink = [this](std::string_view text) {
            if (m_context.json) return;
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        };
        WB_TRY_ASSIGN(const infer::Generated generated,
                      infer::generate(session, *m_tokenizer, m_prompt, m_generate, sink, Progress{m_context.stop, {}}));
        printRemarks(m_context, session.engine(), m_printed);
        if (m_context.json) printJson(generated, session);
        else if (!generated.text.ends_with('\n')) std::fputc('\n', stdout);
        return generated.cause == infer::FinishReason::Stopped ? canceledByUser : done;
    }

    void printJson(const infer::Generated& generated, const infer::Session& session) const {
        JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
        writeAnswer(json, generated, session.engine().device(), session.engine().context(), m_generate.sampling.seed);
        json.finish();
        std::fputc('\n', stdout);
    }

    const Context& m_context;
    const GenerateOptions& m_options;
    infer::GenerateOptions m_generate;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<infer::Token> m_prompt;
    std::size_t m_printed = 0; // remarks of the engine
};

int generate(const Context& context, const GenerateOptions& options) {
    if (options.prompt.has_value() == options.messages.has_value())
        return refuseUsage("Specify either --prompt TEXT or --messages FILE.json.");
    const auto status = GenerateRun(context, options).run();
    return status ? *status : refuseAnswer(context, status.error(), options.model);
}

} // namespace

Command addGenerate(CLI::App& program) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = program.add_subcommand("generate", "Generate text with a GGUF model from a prompt or a conversation");
    command->add_option("MODEL", options->model, "GGUF model: a file, or an ID or name in wb library")->required();
    command->add_option("--prompt", options->prompt, "Prompt")->type_name("TEXT");
    command->add_option("--messages", options->messages, "Conversation to respond to (same format as in wb template); - for stdin")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addAnswer(*command, options->answer);
    return {command,
            [options](const Context& context) { return generate(context, *options); },
            {.reads = {"MODEL", "--messages", "--grammar", "--json-schema"}},
            true,
            {{&options->model}}};
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/infer/conversation_file.h"
#include "app/cli/open_model.h"

#include "core/base/json_writer.h"

#include <cstdio>
#include <optional>

namespace wb::cli {
namespace {

// `wb template` as typed.
struct TemplateOptions {
    std::string source; // a model, or a file of the template itself
    std::string messages;
};

namespace jinja = text::jinja;

constexpr std::uint64_t maxTemplate = 16ull << 20; // bytes of FILE.jinja

void writeStdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

class TemplateRun {
public:
    TemplateRun(const Context& context, const TemplateOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        WB_TRY_ASSIGN(m_file, ConversationFile::open(m_options.messages));
        WB_TRY(readSource());
        return m_file->isArray() ? renderAll() : renderOne();
    }

private:
    // `source` is a model with a template, or the template itself.
    Result<void> readSource() {
        const auto model = openModel(m_context, m_options.source, formats::Strictness::Lenient);
        if (!model && isWrongOutput(model.error())) return std::unexpected(model.error());
        WB_TRY(openLog(m_context));
        if (model && (*model)->format == FormatId::Gguf) {
            WB_TRY_ASSIGN(m_source, TemplateSource::ofModel(**model, m_options.source, m_context.stop));
            return {};
        }
        if (!model && model.error().code != ErrorCode::Unknown && model.error().code != ErrorCode::Malformed)
            return std::unexpected(model.error());
        m_source.name = std::filesystem::path(m_options.source).filename().string();
        WB_TRY_ASSIGN(m_source.usual, readTextFile(m_options.source, maxTemplate));
        return {};
    }

    Result<text::Prompt> render(const jinja::Value& given) const {
        WB_TRY_ASSIGN(const text::Conversation conversation, m_file->conversation(given, m_source.bos, m_source.eos));
        return m_source.render(conversation, m_context.stop);
    }

    Result<void> renderOne() const {
        WB_TRY_ASSIGN(const text::Prompt prompt, render(m_file->conversations().front()));
        if (!m_context.json) {
            writeStdout(prompt.text);
            if (!prompt.text.ends_with('\n')) writeStdout("\n");
            return {};
        }
        JsonWriter json(writeStdout);
        writePrompt(json, prompt);
        json.finish();
        writeStdout("\n");
        return {};
    }

    static void writePrompt(JsonWriter& json, const text::Prompt& prompt) {
        json.beginObject();
        json.key("text");
        json.string(prompt.text);
        json.endObject();
    }

    // What fails spoils no other conversation.
    Result<void> renderAll() const {
        JsonWriter json(writeStdout);
        json.beginArray();
        for (const jinja::Value& conversation : m_file->conversations()) {
            const auto prompt = render(conversation);
            if (!prompt && prompt.error().code == ErrorCode::Canceled) return std::unexpected(prompt.error());
            json.newline();
            prompt ? writePrompt(json, *prompt) : writeFailure(json, prompt.error());
        }
        json.endArray();
        json.finish();
        writeStdout("\n");
        return {};
    }

    static void writeFailure(JsonWriter& json, const Error& error) {
        json.beginObject();
        json.key("error");
        json.string(error.message());
        json.key("class");
        json.string(text::errorFailureClass(error));
        json.key("line");
        error.detail.empty() ? json.null() : json.raw(error.detail);
        json.endObject();
    }

    const Context& m_context;
    const TemplateOptions& m_options;
    std::optional<ConversationFile> m_file;
    TemplateSource m_source;
};

int renderTemplate(const Context& context, const TemplateOptions& options) {
    const auto outcome = TemplateRun(context, options).run();
    if (outcome) return done;
    const std::string& subject = outcome.error().subject;
    return refuse(context, outcome.error(), subject.empty() ? options.source : subject);
}

} // namespace

Command addTemplate(CLI::App& program) {
    auto options = std::make_shared<TemplateOptions>();
    CLI::App* command = program.add_subcommand("template", "Render a conversation with a chat template");
    command->add_option("MODEL_OR_FILE", options->source, "GGUF model with a chat template, or a template file")->required();
    command->add_option("--messages", options->messages, "JSON file with a conversation or an array of conversations; - for stdin")
        ->type_name("FILE.json")
        ->required()
        ->check(checkNotEmpty);
    return {command,
            [options](const Context& context) { return renderTemplate(context, *options); },
            {.reads = {"MODEL_OR_FILE", "--messages"}},
            false,
            {{&options->source}}};
}

} // namespace wb::cli

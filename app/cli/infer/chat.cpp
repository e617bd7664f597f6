// SPDX-License-Identifier: MIT
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/infer/answer.h"
#include "app/cli/infer/conversation_file.h"
#include "app/cli/infer/load_model.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "app/cli/terminal.h"
#include "core/base/text.h"
#include "core/chat/chat_document.h"
#include "core/chat/conversation_settings.h"
#include "core/chat/local_completer.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <set>

namespace wb::cli {
namespace {

// `wb chat` as typed.
struct ChatOptions {
    std::string model;
    std::string system;     // empty: none
    std::string load, save; // files of a conversation; empty: none
    AnswerOptions answer;
};

void writeStdout(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

constexpr std::uint64_t maxFile = 256ull << 20; // of a conversation

constexpr const char* help = "/retry        regenerate the last response\n"
                             "/undo         remove the last message and its response\n"
                             "/edit N       rewrite your message N; later messages stay on another branch\n"
                             "/system TEXT  set the system prompt\n"
                             "/save FILE    save the conversation\n"
                             "/stats        tokens and speed of the last response\n"
                             "/quit         quit\n"
                             "A \\ at the end of a line continues it. Ctrl+C stops a response.\n";

// A conversation on a terminal, or line by line from another program.
class ChatRun {
public:
    ChatRun(const Context& context, const ChatOptions& options) : m_context(context), m_options(options) {}

    Result<int> run() {
        WB_TRY(load());
        endOnInterrupt();
        WB_TRY(talk());
        if (m_context.json) printJson();
        return done;
    }

private:
    Result<void> load() {
        chat::LoadRequest request{.store = loadStore(m_options.answer.forgetsLoad)};
        WB_TRY_ASSIGN(request.graph, openGraph(m_context, m_options.model));
        request.path = request.graph->model->path;
        WB_TRY_ASSIGN(const auto tokenizer, text::Tokenizer::open(*request.graph->model));
        WB_TRY_ASSIGN(static_cast<chat::CompletionSettings&>(m_settings),
                      answerSettings(m_options.answer, *request.graph->model, *tokenizer));
        if (!m_options.load.empty()) WB_TRY(openConversation());
        if (!m_options.system.empty()) m_settings.instruction = toUtf8(m_options.system);
        request.options = engineOn(m_context, engineOptions(m_options.answer));
        WB_TRY_ASSIGN(request.backend, chosenBackend(m_context));
        WB_TRY_ASSIGN(m_completer, chat::LocalCompleter::make());
        const StopScope interrupt;
        m_completer->load(std::move(request), m_events, interrupt.source());
        return followLoad();
    }

    Result<void> followLoad() {
        ProgressLine line("load", !m_context.quiet);
        std::optional<Result<void>> end;
        const chat::EventHandlers handlers{
            [&](const chat::LoadProgress& progress) { line.set(progress.done, progress.total); },
            [&](const chat::LoadPlanned& planned) { printPlan(m_context, planned.plan); },
            [&](const chat::Remarked& remarked) { printRemark(m_context, remarked.remark); },
            [&](const chat::ModelLoaded& loaded) {
                m_model = loaded.model;
                end.emplace();
            },
            [&](const chat::Failed& failed) { end = std::unexpected(failed.error); },
            [](const auto&) {},
        };
        while (!end)
            for (const chat::Event& event : m_events->wait()) std::visit(handlers, event);
        return *end;
    }

    // The system prompt is a setting; the other messages become one branch.
    Result<void> openConversation() {
        WB_TRY_ASSIGN(const std::string file, readTextFile(m_options.load, maxFile));
        WB_TRY_ASSIGN(std::vector<chat::Message> messages, chat::parseChatDocument(file, m_options.load));
        for (std::size_t i = 0; i < messages.size(); ++i) {
            chat::Message& message = messages[i];
            if (i == 0 && message.role == chat::Role::System) m_settings.instruction = std::move(message.content);
            else m_talk.add(m_talk.head.leaf, message.role, std::move(message.content));
        }
        return {};
    }

    Result<void> talk() {
        while (const auto line = readTurn()) {
            if (!line->starts_with('/')) {
                m_talk.add(m_talk.head.leaf, chat::Role::User, *line);
                WB_TRY(answer());
                continue;
            }
            const std::size_t blank = std::min(line->find(' '), line->size());
            const std::string rest = line->substr(std::min(blank + 1, line->size()));
            if (line->substr(0, blank) == "/quit") break;
            WB_TRY(command(line->substr(0, blank), rest));
        }
        return m_options.save == stdoutWord ? writeOutput(m_options.save, document()) : save(m_options.save);
    }

    // A line with those that continue it, without the end of line; empty lines are skipped. Nothing at the end of the input.
    std::optional<std::string> readTurn() {
        std::string turn, line;
        while (true) {
            if (m_terminal && printsAnswers()) writeStdout(turn.empty() ? "> " : ". ");
            if (!readLine(line)) return turn.empty() ? std::nullopt : std::optional(toUtf8(turn));
            if (line.ends_with('\r')) line.pop_back();
            if (line.ends_with('\\')) {
                line.back() = '\n';
                turn += line;
            } else if (!turn.empty() || !line.empty()) {
                return toUtf8(turn + line);
            }
        }
    }

    Result<void> command(const std::string& name, const std::string& rest) {
        if (name == "/help") return say(help);
        if (name == "/retry") return retry();
        if (name == "/undo") return undo();
        if (name == "/edit") return edit(rest);
        if (name == "/system") {
            m_settings.instruction = rest;
            return {};
        }
        if (name == "/save") return saveAs(rest);
        if (name == "/stats") return say(statistics());
        return say("Unknown command; type /help for a list.\n");
    }

    // On stderr, away from the conversation.
    static Result<void> say(const std::string& text) {
        std::fputs(text.c_str(), stderr);
        return {};
    }

    bool printsAnswers() const { return !m_context.json && !m_context.files->usesStdout(); }

    // The last message of the user on the branch; null: none exists.
    const chat::Turn* lastMessage() const {
        const auto branch = m_talk.branch();
        const auto found = std::ranges::find(branch.rbegin(), branch.rend(), chat::Role::User, &chat::Turn::role);
        return found == branch.rend() ? nullptr : *found;
    }

    Result<void> retry() {
        const chat::Turn* const last = lastMessage();
        if (!last) return say("No message to respond to.\n");
        m_talk.rewind(last->id);
        return answer();
    }

    Result<void> undo() {
        const chat::Turn* const last = lastMessage();
        if (!last) return say("Nothing to undo.\n");
        m_talk.rewind(last->parent);
        return {};
    }

    Result<void> edit(const std::string& number) {
        std::size_t wanted = 0;
        std::from_chars(number.data(), number.data() + number.size(), wanted);
        auto branch = m_talk.branch();
        std::erase_if(branch, [](const chat::Turn* turn) { return turn->role != chat::Role::User; });
        if (wanted == 0 || wanted > branch.size()) return say("No such message; your first one is /edit 1.\n");
        const std::int64_t parent = branch[wanted - 1]->parent;
        const auto text = readTurn();
        if (!text) return {};
        m_talk.add(parent, chat::Role::User, *text);
        return answer();
    }

    std::vector<chat::Message> messages() const { return chat::messagesFor(m_talk, m_settings, m_talk.head.leaf); }

    std::string document() const { return chat::chatDocument(messages()); }

    Result<void> save(const std::string& path) const {
        if (path.empty() || path == stdoutWord) return {};
        return chat::writeChatFile(std::filesystem::path(path), document());
    }

    // A file of the user, which must be free unless this conversation has written it or --force was given.
    Result<void> saveAs(const std::string& path) {
        if (path.empty()) return say("Usage: /save FILE\n");
        if (path != m_options.save && m_saved.insert(path).second)
            if (const auto free = m_context.files->alsoWrite(std::filesystem::path(path)); !free) {
                m_saved.erase(path);
                return say(free.error().message() + '\n');
            }
        return save(path);
    }

    // Answers the last turn of the branch.
    Result<void> answer() {
        const auto completed = complete();
        if (completed) {
            const infer::Generated& response = completed->response;
            chat::Turn& turn = m_talk.add(m_talk.head.leaf, chat::Role::Assistant, response.text);
            turn.facts = {response.cause, static_cast<std::int64_t>(response.tokens.size()), response.promptSeconds,
                          response.generateSeconds, io::baseName(m_options.model)};
            m_answers.push_back(*completed);
            if (printsAnswers()) finishLine(response);
            return save(m_options.save);
        }
        // A conversation that outgrew the context can be cut by its writer; anything else ends it.
        if (!m_terminal || completed.error().code != ErrorCode::TooLarge) return std::unexpected(completed.error());
        m_talk.rewind(m_talk.find(m_talk.head.leaf)->parent);
        return say(completed.error().message() + " Use /undo to free context.\n");
    }

    Result<chat::Completed> complete() {
        const StopScope interrupt;
        m_completer->start(messages(), m_settings, m_events, interrupt.source());
        std::optional<Result<chat::Completed>> end;
        const chat::EventHandlers handlers{
            [&](const chat::TextDelta& delta) {
                if (printsAnswers()) writeStdout(delta.text);
            },
            [&](const chat::Remarked& remarked) { printRemark(m_context, remarked.remark); },
            [&](const chat::Completed& completed) { end = completed; },
            [&](const chat::Failed& failed) { end = std::unexpected(failed.error); },
            [](const auto&) {},
        };
        while (!end)
            for (const chat::Event& event : m_events->wait()) std::visit(handlers, event);
        return *std::move(end);
    }

    void finishLine(const infer::Generated& generated) const {
        if (!generated.text.ends_with('\n')) writeStdout("\n");
        if (!m_terminal || generated.cause == infer::FinishReason::EndOfText) return;
        std::fprintf(stderr, "[%s]\n", infer::finishReasonName(generated.cause));
    }

    std::string statistics() const {
        if (m_answers.empty()) return "No response yet.\n";
        const infer::Generated& last = m_answers.back().response;
        char line[256];
        std::snprintf(line, sizeof line,
                      "context %zu of %zu tokens; prompt %zu (%zu cached), %.1f tokens/s; response %zu, %.1f tokens/s\n",
                      m_answers.back().contextUsed, m_model.context, last.promptTokens, last.reusedTokens, last.promptRate(),
                      last.tokens.size(), last.generateRate());
        return line;
    }

    void printJson() const {
        JsonWriter json(writeStdout);
        json.beginObject();
        json.key("messages");
        chat::writeMessages(json, messages());
        json.key("turns");
        json.beginArray();
        for (const chat::Completed& answer : m_answers)
            writeAnswer(json, answer.response, answer.device, m_model.context, *m_settings.seed);
        json.endArray();
        json.endObject();
        json.finish();
        writeStdout("\n");
    }

    const Context& m_context;
    const ChatOptions& m_options;
    const bool m_terminal = stdinIsTerminal();
    const chat::EventSink m_events = std::make_shared<chat::EventQueue>(); // of one request at a time
    std::unique_ptr<chat::LocalCompleter> m_completer;
    chat::ModelFacts m_model;
    chat::ConversationSettings m_settings;
    chat::Conversation m_talk;
    std::set<std::string> m_saved; // files of /save
    std::vector<chat::Completed> m_answers;
};

int chat(const Context& context, const ChatOptions& options) {
    const auto status = ChatRun(context, options).run();
    return status ? *status : refuseAnswer(context, status.error(), options.model);
}

} // namespace

Command addChat(CLI::App& program) {
    auto options = std::make_shared<ChatOptions>();
    CLI::App* command = program.add_subcommand("chat", "Chat with a GGUF model in the terminal (type /help for commands)");
    command->add_option("MODEL", options->model, "GGUF model: a file, or an ID or name in wb library")->required();
    command->add_option("--system", options->system, "System prompt")->type_name("TEXT");
    command->add_option("--load", options->load, "Continue a saved conversation")->type_name("FILE.json")->check(checkNotEmpty);
    command->add_option("--save", options->save, "Save the conversation to this file")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addAnswer(*command, options->answer);
    return {command,
            [options](const Context& context) { return chat(context, *options); },
            {.reads = {"MODEL", "--load", "--grammar", "--json-schema"}, .writes = {"--save"}},
            true,
            {{&options->model}}};
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/infer/answer.h"
#include "app/cli/infer/chat_file.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "app/cli/infer/load_model.h"
#include "app/cli/output_file.h"
#include "core/base/text.h"
#include "core/infer/chat_document.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
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

constexpr const char* help = "/retry        answer the last turn anew\n"
                             "/undo         take the last turn and its answer back\n"
                             "/edit N       write your turn N anew; what followed is dropped\n"
                             "/system TEXT  tell the model something before the conversation\n"
                             "/save FILE    write the conversation\n"
                             "/stats        tokens and speed of the last answer\n"
                             "/quit         end\n"
                             "A line that ends in \\ goes on in the next one. Ctrl+C stops an answer.\n";

// A conversation on a terminal, or line by line from another program.
class ChatRun {
public:
    ChatRun(const Context& context, const ChatOptions& options) : m_context(context), m_options(options) {}

    Result<int> run() {
        WB_TRY_ASSIGN(const infer::Graph graph, planModel(m_context, m_options.model));
        m_model = graph.model;
        WB_TRY_ASSIGN(m_tokenizer, text::Tokenizer::open(*m_model));
        WB_TRY_ASSIGN(m_generate, answerOptions(m_options.answer, *m_model, *m_tokenizer));
        if (!m_options.load.empty()) {
            WB_TRY_ASSIGN(m_messages, readChatFile(m_options.load));
        }
        if (!m_options.system.empty()) setSystem(toUtf8(m_options.system));
        const infer::EngineOptions engine = engineOptions(m_options.answer, graph.context);
        WB_TRY_ASSIGN(auto loaded, loadAndRemember(m_context, graph, engine, m_options.answer.forgetsLoad));
        m_told = loaded->remarks().size();
        m_session.emplace(std::move(loaded));
        endOnInterrupt();
        WB_TRY(talk());
        if (m_context.json) printJson();
        return done;
    }

private:
    Result<void> talk() {
        while (const auto line = readTurn()) {
            if (!line->starts_with('/')) {
                m_messages.push_back({"user", *line});
                WB_TRY(answer());
                continue;
            }
            const std::size_t blank = std::min(line->find(' '), line->size());
            const std::string rest = line->substr(std::min(blank + 1, line->size()));
            if (line->substr(0, blank) == "/quit") break;
            WB_TRY(command(line->substr(0, blank), rest));
        }
        return m_options.save == stdoutWord ? writeOutput(m_options.save, infer::chatDocument(m_messages)) : save(m_options.save);
    }

    // A line with those that go on from it, without the end of line; an empty one is no turn. Nothing at the end of the input.
    std::optional<std::string> readTurn() {
        std::string turn, line;
        while (true) {
            if (m_terminal && printsAnswers()) writeStdout(turn.empty() ? "> " : ". ");
            if (!std::getline(std::cin, line)) return turn.empty() ? std::nullopt : std::optional(toUtf8(turn));
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
            setSystem(rest);
            return {};
        }
        if (name == "/save") return saveAs(rest);
        if (name == "/stats") return say(statistics());
        return say("There is no such command; /help tells those there are.\n");
    }

    // What is not the conversation goes where it does not disturb who reads that.
    static Result<void> say(const std::string& text) {
        std::fputs(text.c_str(), stderr);
        return {};
    }

    bool printsAnswers() const { return !m_context.json && !m_context.files->usesStdout(); }

    void dropAnswers() {
        while (!m_messages.empty() && m_messages.back().role == "assistant") m_messages.pop_back();
    }

    bool hasTurn() const {
        return std::ranges::any_of(m_messages, [](const auto& message) { return message.role == "user"; });
    }

    Result<void> retry() {
        dropAnswers();
        if (!hasTurn()) return say("There is nothing to answer yet.\n");
        return answer();
    }

    Result<void> undo() {
        dropAnswers();
        if (!hasTurn()) return say("There is nothing to take back.\n");
        m_messages.pop_back();
        return {};
    }

    Result<void> edit(const std::string& number) {
        std::size_t wanted = 0;
        std::from_chars(number.data(), number.data() + number.size(), wanted);
        const auto isOwn = [](const auto& message) { return message.role == "user"; };
        auto found = m_messages.begin();
        for (std::size_t n = 0; found != m_messages.end(); ++found)
            if (isOwn(*found) && ++n == wanted) break;
        if (found == m_messages.end()) return say("There is no such turn; /edit 1 is your first one.\n");
        const auto text = readTurn();
        if (!text) return {};
        m_messages.erase(found, m_messages.end());
        m_messages.push_back({"user", *text});
        return answer();
    }

    void setSystem(const std::string& text) {
        if (!m_messages.empty() && m_messages.front().role == "system") m_messages.erase(m_messages.begin());
        if (!text.empty()) m_messages.insert(m_messages.begin(), {"system", text});
    }

    Result<void> save(const std::string& path) const {
        return path.empty() || path == stdoutWord ? Result<void>{} : writeChatFile(path, m_messages);
    }

    // A file of the user, which must be free unless this conversation has written it or --force was given.
    Result<void> saveAs(const std::string& path) {
        if (path.empty()) return say("Say where: /save FILE\n");
        if (path != m_options.save && m_saved.insert(path).second)
            if (const auto free = m_context.files->alsoWrite(std::filesystem::path(path)); !free) {
                m_saved.erase(path);
                return say(free.error().message() + '\n');
            }
        return save(path);
    }

    Result<void> answer() {
        const auto generated = generateAnswer();
        m_told = tellRemarks(m_context, m_session->engine(), m_told);
        if (generated) {
            m_messages.push_back({"assistant", generated->text});
            m_answers.push_back(*generated);
            if (printsAnswers()) finishLine(*generated);
            return save(m_options.save);
        }
        // A conversation that outgrew the context can be cut by its writer; anything else ends it.
        if (!m_terminal || generated.error().code != ErrorCode::TooLarge) return std::unexpected(generated.error());
        m_messages.pop_back();
        return say(generated.error().message() + " /undo makes room.\n");
    }

    Result<infer::Generated> generateAnswer() {
        const StopScope interrupt;
        WB_TRY_ASSIGN(const auto prompt, infer::chatPrompt(*m_model, *m_tokenizer, m_messages, interrupt.token()));
        const infer::TextSink sink = [this](std::string_view text) {
            if (printsAnswers()) writeStdout(text);
        };
        return infer::generate(*m_session, *m_tokenizer, prompt, m_generate, sink, Progress{interrupt.token(), {}});
    }

    void finishLine(const infer::Generated& generated) const {
        if (!generated.text.ends_with('\n')) writeStdout("\n");
        if (!m_terminal || generated.cause == infer::EndCause::EndOfText) return;
        std::fprintf(stderr, "[%s]\n", infer::endCauseName(generated.cause));
    }

    std::string statistics() const {
        if (m_answers.empty()) return "There is no answer yet.\n";
        const infer::Generated& last = m_answers.back();
        char line[256];
        std::snprintf(line, sizeof line,
                      "%zu tokens of %zu in the context; prompt %zu, of them %zu known, %.1f/s; answer %zu, %.1f/s\n",
                      m_session->tokens().size(), m_session->engine().context(), last.promptTokens, last.reusedTokens,
                      last.promptRate(), last.tokens.size(), last.generateRate());
        return line;
    }

    void printJson() const {
        JsonWriter json(writeStdout);
        json.beginObject();
        json.key("messages");
        infer::writeMessages(json, m_messages);
        json.key("turns");
        json.beginArray();
        for (const infer::Generated& generated : m_answers) writeAnswer(json, generated, *m_session, m_generate.sampling.seed);
        json.endArray();
        json.endObject();
        json.finish();
        writeStdout("\n");
    }

    const Context& m_context;
    const ChatOptions& m_options;
    const bool m_terminal = stdinIsTerminal();
    ModelPtr m_model;
    infer::GenerateOptions m_generate;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::optional<infer::Session> m_session;
    std::size_t m_told = 0; // remarks of its engine
    std::vector<infer::ChatMessage> m_messages;
    std::set<std::string> m_saved; // files of /save
    std::vector<infer::Generated> m_answers;
};

int chat(const Context& context, const ChatOptions& options) {
    const auto status = ChatRun(context, options).run();
    return status ? *status : refuseAnswer(context, status.error(), options.model);
}

} // namespace

Command addChat(CLI::App& program) {
    auto options = std::make_shared<ChatOptions>();
    CLI::App* command = program.add_subcommand("chat", "Talk with a GGUF model; /help there tells the commands");
    command->add_option("MODEL", options->model, "A GGUF model")->required();
    command->add_option("--system", options->system, "What the model is told before the conversation")->type_name("TEXT");
    command->add_option("--load", options->load, "Go on with a saved conversation")->type_name("FILE.json")->check(checkNotEmpty);
    command->add_option("--save", options->save, "Write the conversation when it ends")
        ->type_name("FILE.json")
        ->check(checkNotEmpty);
    addAnswer(*command, options->answer);
    return {command,
            [options](const Context& context) { return chat(context, *options); },
            {.reads = {"MODEL", "--load", "--grammar", "--json-schema"}, .writes = {"--save"}},
            true};
}

} // namespace wb::cli

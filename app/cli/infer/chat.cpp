// SPDX-License-Identifier: MIT
#include "app/cli/infer/answer.h"
#include "app/cli/infer/conversation_file.h"
#include "app/cli/interrupt.h"
#include "app/cli/infer/load_model.h"
#include "core/base/text.h"
#include "core/chat/chat_document.h"
#include "core/chat/prompt.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace wb::cli {
namespace {

bool stdinIsTerminal() {
#ifdef _WIN32
    return _isatty(_fileno(stdin)) != 0;
#else
    return isatty(STDIN_FILENO) != 0;
#endif
}

void writeStdout(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

constexpr std::uint64_t maxFile = 256ull << 20; // of a conversation

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
            WB_TRY_ASSIGN(const std::string file, readTextFile(m_options.load, maxFile));
            WB_TRY_ASSIGN(m_messages, chat::parseChatDocument(file, m_options.load));
        }
        if (!m_options.system.empty()) setSystem(toUtf8(m_options.system));
        WB_TRY_ASSIGN(const infer::EngineOptions engine, engineOptions(m_options.answer, graph.spec.context));
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
                m_messages.push_back({chat::Role::User, *line});
                WB_TRY(answer());
                continue;
            }
            const std::size_t blank = std::min(line->find(' '), line->size());
            const std::string rest = line->substr(std::min(blank + 1, line->size()));
            if (line->substr(0, blank) == "/quit") break;
            WB_TRY(command(line->substr(0, blank), rest));
        }
        return save(m_options.save);
    }

    // A line with those that go on from it, without the end of line; an empty one is no turn. Nothing at the end of the input.
    std::optional<std::string> readTurn() {
        std::string turn, line;
        while (true) {
            if (m_terminal && !m_context.json) writeStdout(turn.empty() ? "> " : ". ");
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
        if (name == "/save") return rest.empty() ? say("Say where: /save FILE\n") : save(rest);
        if (name == "/stats") return say(statistics());
        return say("There is no such command; /help tells those there are.\n");
    }

    // What is not the conversation goes where it does not disturb who reads that.
    static Result<void> say(const std::string& text) {
        std::fputs(text.c_str(), stderr);
        return {};
    }

    void dropAnswers() {
        while (!m_messages.empty() && m_messages.back().role == chat::Role::Assistant) m_messages.pop_back();
    }

    bool hasTurn() const {
        return std::ranges::any_of(m_messages, [](const auto& message) { return message.role == chat::Role::User; });
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
        const auto isOwn = [](const auto& message) { return message.role == chat::Role::User; };
        auto found = m_messages.begin();
        for (std::size_t n = 0; found != m_messages.end(); ++found)
            if (isOwn(*found) && ++n == wanted) break;
        if (found == m_messages.end()) return say("There is no such turn; /edit 1 is your first one.\n");
        const auto text = readTurn();
        if (!text) return {};
        m_messages.erase(found, m_messages.end());
        m_messages.push_back({chat::Role::User, *text});
        return answer();
    }

    void setSystem(const std::string& text) {
        if (!m_messages.empty() && m_messages.front().role == chat::Role::System) m_messages.erase(m_messages.begin());
        if (!text.empty()) m_messages.insert(m_messages.begin(), {chat::Role::System, text});
    }

    Result<void> save(const std::string& path) const {
        return path.empty() ? Result<void>{} : chat::writeChatFile(std::filesystem::path(path), chat::chatDocument(m_messages));
    }

    Result<void> answer() {
        const auto generated = generateAnswer();
        m_told = tellRemarks(m_context, m_session->engine(), m_told);
        if (generated) {
            m_messages.push_back({chat::Role::Assistant, generated->text});
            m_answers.push_back(*generated);
            if (!m_context.json) finishLine(*generated);
            return save(m_options.save);
        }
        // A conversation that outgrew the context can be cut by its writer; anything else ends it.
        if (!m_terminal || generated.error().code != ErrorCode::TooLarge) return std::unexpected(generated.error());
        m_messages.pop_back();
        return say(generated.error().message() + " /undo makes room.\n");
    }

    Result<infer::Generated> generateAnswer() {
        const StopScope interrupt;
        WB_TRY_ASSIGN(const auto prompt, chat::chatPrompt(*m_model, *m_tokenizer, m_messages, interrupt.token()));
        const infer::TextSink sink = [this](std::string_view text) {
            if (!m_context.json) writeStdout(text);
        };
        return infer::generate(*m_session, *m_tokenizer, prompt, m_generate, sink, Progress{interrupt.token(), {}});
    }

    void finishLine(const infer::Generated& generated) const {
        if (!generated.text.ends_with('\n')) writeStdout("\n");
        if (!m_terminal || generated.cause == infer::FinishReason::EndOfText) return;
        std::fprintf(stderr, "[%s]\n", infer::finishReasonName(generated.cause));
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
        chat::writeMessages(json, m_messages);
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
    std::vector<chat::Message> m_messages;
    std::vector<infer::Generated> m_answers;
};

} // namespace

int chat(const Context& context, const ChatOptions& options) {
    if (auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto status = ChatRun(context, options).run();
    return status ? *status : refuseAnswer(context, status.error(), options.model);
}

} // namespace wb::cli

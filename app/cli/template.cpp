// SPDX-License-Identifier: MIT
#include "app/cli/text_commands.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/open.h"
#include "core/io/byte_source.h"
#include "core/text/chat_template.h"
#include "core/text/jinja/json_values.h"
#include "core/text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace wb::cli {
namespace {

namespace jinja = text::jinja;

constexpr std::uint64_t maxMessages = 256ull << 20; // bytes of FILE.json
constexpr std::uint64_t maxTemplate = 16ull << 20;  // bytes of FILE.jinja

void writeStdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Result<std::string> readText(const std::string& path, std::uint64_t cap) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(std::filesystem::path(path)));
    if (source->size() > cap)
        return fail(ErrorCode::TooLarge, Reason("template.file"), About{path}, WB_TEXT("{} is larger than such a file may be."),
                    path);
    std::string bytes(static_cast<std::size_t>(source->size()), '\0');
    WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

// The clock, or "2026-01-02T15:04:05" as the file gives it.
std::optional<std::tm> timeOf(const jinja::Value* given) {
    std::tm now{};
    if (!given || given->isNone()) {
        const std::time_t clock = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        if (const std::tm* const local = std::localtime(&clock)) now = *local;
        return now;
    }
    if (!given->text()) return std::nullopt;
    const std::string& t = given->text()->bytes;
    const auto number = [&](std::size_t at, std::size_t length) {
        int value = -1;
        if (at + length <= t.size()) std::from_chars(t.data() + at, t.data() + at + length, value);
        return value;
    };
    const bool hasTime = t.size() >= 19;
    const std::chrono::year_month_day date{std::chrono::year(number(0, 4)), std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    if (!date.ok() || t.size() < 10) return std::nullopt;
    now.tm_year = int{date.year()} - 1900;
    now.tm_mon = static_cast<int>(unsigned{date.month()}) - 1;
    now.tm_mday = static_cast<int>(unsigned{date.day()});
    const std::chrono::sys_days day(date);
    now.tm_wday = static_cast<int>(std::chrono::weekday(day).c_encoding());
    now.tm_yday = static_cast<int>((day - std::chrono::sys_days(date.year() / 1 / 1)).count());
    if (hasTime) {
        now.tm_hour = std::clamp(number(11, 2), 0, 23);
        now.tm_min = std::clamp(number(14, 2), 0, 59);
        now.tm_sec = std::clamp(number(17, 2), 0, 60);
    }
    return now;
}

class TemplateRun {
public:
    TemplateRun(const Context& context, const TemplateOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        WB_TRY(readConversations());
        WB_TRY(readSource());
        return m_isArray ? renderAll() : renderOne();
    }

private:
    std::unexpected<Error> refuseMessages() const {
        return fail(ErrorCode::Malformed, Reason("template.messages"), About{m_options.messages},
                    WB_TEXT("{} is no conversation: an object with \"messages\" in JSON is needed, or an array of such."),
                    m_options.messages);
    }

    Result<void> readConversations() {
        WB_TRY_ASSIGN(const std::string text, readText(m_options.messages, maxMessages));
        auto parsed = isUtf8(text) ? jinja::valueOfJson(text) : std::nullopt;
        if (!parsed) return refuseMessages();
        m_isArray = parsed->list() != nullptr;
        if (m_isArray) m_conversations = *parsed->list();
        else m_conversations.push_back(*std::move(parsed));
        for (const jinja::Value& conversation : m_conversations) WB_TRY(conversationOf(conversation, true));
        return {};
    }

    // `source` is a model with a template, or the template itself.
    Result<void> readSource() {
        formats::OpenOptions open = m_context.openOptions();
        const auto model = formats::open(std::filesystem::path(m_options.source), open);
        if (model && (*model)->format == "gguf") return readModel(**model);
        if (!model && model.error().code != ErrorCode::Unknown && model.error().code != ErrorCode::Malformed)
            return std::unexpected(model.error());
        WB_TRY_ASSIGN(m_source, readText(m_options.source, maxTemplate));
        return {};
    }

    Result<void> readModel(const Model& model) {
        const auto own = text::templateOf(model, false);
        if (!own)
            return fail(ErrorCode::NotFound, Reason("template.none"), About{m_options.source}, WB_TEXT("{} has no chat template."),
                        m_options.source);
        m_source = *own;
        m_sourceForTools = text::templateOf(model, true).value_or(m_source);
        const auto vocabulary = text::readVocabulary(model, {.pre = {}, .progress = Progress{m_context.stop, {}}});
        if (!vocabulary) return {}; // the template may do without the tokens
        const auto spelled = [&](text::TokenId id) {
            return id == text::noToken ? std::string() : (*vocabulary)->tokens[static_cast<std::size_t>(id)].text;
        };
        m_bos = spelled((*vocabulary)->special.bos);
        m_eos = spelled((*vocabulary)->special.eos);
        return {};
    }

    Result<text::Conversation> conversationOf(const jinja::Value& given, bool checksOnly = false) const {
        const jinja::Dict* const members = given.dict();
        const jinja::Value* const messages = members ? members->find("messages") : nullptr;
        if (!messages || !messages->list()) return refuseMessages();
        const auto member = [&](std::string_view name) { return members->find(name); };
        const auto word = [&](std::string_view name, const std::string& otherwise) {
            const jinja::Value* const found = member(name);
            return found && found->text() ? found->text()->bytes : otherwise;
        };
        const auto now = timeOf(member("now"));
        const jinja::Value* const variables = member("kwargs");
        if (!now || (variables && !variables->dict() && !variables->isNone())) return refuseMessages();
        text::Conversation out;
        if (checksOnly) return out;
        out.messages = *messages;
        if (const jinja::Value* const tools = member("tools")) out.tools = *tools;
        if (const jinja::Value* const prompt = member("add_generation_prompt")) out.addGenerationPrompt = prompt->isTrue();
        out.bosToken = word("bos_token", m_bos);
        out.eosToken = word("eos_token", m_eos);
        if (variables && variables->dict())
            for (const auto& [name, value] : variables->dict()->members())
                if (name.text()) out.variables.emplace_back(name.text()->bytes, value);
        out.now = *now;
        return out;
    }

    Result<text::Prompt> render(const jinja::Value& given) const {
        WB_TRY_ASSIGN(const text::Conversation conversation, conversationOf(given));
        const std::string name = std::filesystem::path(m_options.source).filename().string();
        const bool hasTools = conversation.tools.isTrue() && !m_sourceForTools.empty();
        WB_TRY_ASSIGN(const text::ChatTemplate program, text::ChatTemplate::parse(hasTools ? m_sourceForTools : m_source, name));
        jinja::Bounds bounds;
        bounds.stop = m_context.stop;
        return program.render(conversation, bounds);
    }

    Result<void> renderOne() const {
        WB_TRY_ASSIGN(const text::Prompt prompt, render(m_conversations.front()));
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
        for (const jinja::Value& conversation : m_conversations) {
            const auto prompt = render(conversation);
            if (!prompt && prompt.error().code == ErrorCode::Cancelled) return std::unexpected(prompt.error());
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
        json.string(text::failureClassOf(error));
        json.key("line");
        error.detail.empty() ? json.null() : json.raw(error.detail);
        json.endObject();
    }

    const Context& m_context;
    const TemplateOptions& m_options;
    jinja::List m_conversations;
    bool m_isArray = false;
    std::string m_source;
    std::string m_sourceForTools;
    std::string m_bos;
    std::string m_eos;
};

} // namespace

int renderTemplate(const Context& context, const TemplateOptions& options) {
    if (auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto outcome = TemplateRun(context, options).run();
    if (outcome) return done;
    const std::string& subject = outcome.error().subject;
    return refuse(context, outcome.error(), subject.empty() ? options.source : subject);
}

} // namespace wb::cli

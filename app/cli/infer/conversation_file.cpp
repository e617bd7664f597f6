// SPDX-License-Identifier: MIT
#include "app/cli/infer/conversation_file.h"

#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/text/jinja/json_values.h"
#include "core/text/vocabulary.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>

namespace wb::cli {
namespace {

namespace jinja = text::jinja;

constexpr std::uint64_t maxMessages = 256ull << 20; // bytes of FILE.json

// The clock, or the time in the file: "2026-01-02T15:04:05".
std::optional<std::tm> givenTime(const jinja::Value* given) {
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

// An array of messages itself, as APIs take it: its first member has a role.
bool isMessageList(const jinja::Value& value) {
    const jinja::List* const list = value.list();
    const jinja::Dict* const first = list && !list->empty() ? list->front().dict() : nullptr;
    return first && first->find("role") && !first->find("messages");
}

jinja::Value wrapMessages(jinja::Value messages) {
    jinja::Dict members;
    members.set(jinja::Value::of("messages"), std::move(messages));
    return jinja::Value::of(std::move(members));
}

std::unexpected<Error> tooLarge(const std::string& name) {
    return fail(ErrorCode::TooLarge, Reason("template.file"), About{name}, WB_TEXT("{} exceeds the size limit for such files."),
                name);
}

// /dev/stdin and the files of a shell's <(command) among them.
bool isPipe(const std::string& path) {
    std::error_code ignored;
    const auto type = std::filesystem::status(std::filesystem::path(path), ignored).type();
    return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character;
}

Result<std::string> readStream(std::FILE* stream, const std::string& name, std::uint64_t cap) {
    std::string bytes;
    std::array<char, 64 * 1024> block;
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), stream)) {
        bytes.append(block.data(), got);
        if (bytes.size() > cap) return tooLarge(name);
    }
    if (std::ferror(stream) != 0) return io::cannotRead(name, std::strerror(errno));
    return bytes;
}

Result<std::string> readPipe(const std::string& path, std::uint64_t cap) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return io::cannotRead(path, std::strerror(errno));
    return readStream(file.get(), path, cap);
}

} // namespace

Result<std::string> readTextFile(const std::string& path, std::uint64_t cap) {
    if (path == stdinWord) return readStream(stdin, "Standard input", cap);
    if (isPipe(path)) return readPipe(path, cap);
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(std::filesystem::path(path)));
    if (source->size() > cap) return tooLarge(path);
    std::string bytes(static_cast<std::size_t>(source->size()), '\0');
    WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

std::unexpected<Error> ConversationFile::refuse() const {
    return fail(
        ErrorCode::Malformed, Reason("template.messages"), About{m_path},
        WB_TEXT("{} is not a conversation: expected a JSON object with \"messages\", an array of messages, or an array of such "
                "objects."),
        m_path);
}

Result<ConversationFile> ConversationFile::open(const std::string& path) {
    ConversationFile file;
    file.m_path = path == stdinWord ? "Standard input" : path;
    WB_TRY_ASSIGN(const std::string text, readTextFile(path, maxMessages));
    auto parsed = isUtf8(text) ? jinja::valueOfJson(text) : std::nullopt;
    if (!parsed) return file.refuse();
    if (isMessageList(*parsed)) parsed = wrapMessages(*std::move(parsed));
    file.m_isArray = parsed->list() != nullptr;
    if (file.m_isArray) file.m_conversations = *parsed->list();
    else file.m_conversations.push_back(*std::move(parsed));
    for (const jinja::Value& given : file.m_conversations) WB_TRY(file.conversation(given, {}, {}));
    return file;
}

Result<text::Conversation> ConversationFile::conversation(const jinja::Value& given, const std::string& bos,
                                                          const std::string& eos) const {
    const jinja::Dict* const members = given.dict();
    const jinja::Value* const messages = members ? members->find("messages") : nullptr;
    if (!messages || !messages->list()) return refuse();
    const auto member = [&](std::string_view name) { return members->find(name); };
    const auto word = [&](std::string_view name, const std::string& otherwise) {
        const jinja::Value* const found = member(name);
        return found && found->text() ? found->text()->bytes : otherwise;
    };
    const auto now = givenTime(member("now"));
    const jinja::Value* const variables = member("kwargs");
    if (!now || (variables && !variables->dict() && !variables->isNone())) return refuse();
    text::Conversation out;
    out.messages = *messages;
    if (const jinja::Value* const tools = member("tools")) out.tools = *tools;
    if (const jinja::Value* const prompt = member("add_generation_prompt")) out.addGenerationPrompt = prompt->isTrue();
    out.bosToken = word("bos_token", bos);
    out.eosToken = word("eos_token", eos);
    if (variables && variables->dict())
        for (const auto& [name, value] : variables->dict()->members())
            if (name.text()) out.variables.emplace_back(name.text()->bytes, value);
    out.now = *now;
    return out;
}

Result<TemplateSource> TemplateSource::ofModel(const Model& model, const std::string& path, const std::stop_token& stop) {
    const auto own = text::modelTemplate(model, false);
    const std::string file = io::baseName(path);
    if (!own)
        return fail(ErrorCode::NotFound, Reason("template.none"), About{file},
                    WB_TEXT("{} has no chat template; enter plain text, or provide a template."), file);
    TemplateSource source;
    source.name = std::filesystem::path(path).filename().string();
    source.usual = *own;
    source.forTools = text::modelTemplate(model, true).value_or(source.usual);
    const auto vocabulary = text::readVocabulary(model, {.pre = {}, .progress = Progress{stop, {}}});
    if (!vocabulary) return source;
    const auto spelled = [&](text::TokenId id) {
        return id == text::noToken ? std::string() : (*vocabulary)->tokens[static_cast<std::size_t>(id)].text;
    };
    source.bos = spelled((*vocabulary)->special.bos);
    source.eos = spelled((*vocabulary)->special.eos);
    return source;
}

Result<text::Prompt> TemplateSource::render(const text::Conversation& conversation, const std::stop_token& stop) const {
    const bool hasTools = conversation.tools.isTrue() && !forTools.empty();
    WB_TRY_ASSIGN(const text::ChatTemplate program, text::ChatTemplate::parse(hasTools ? forTools : usual, name));
    jinja::Bounds bounds;
    bounds.stop = stop;
    return program.render(conversation, bounds);
}

} // namespace wb::cli

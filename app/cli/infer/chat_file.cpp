// SPDX-License-Identifier: MIT
#include "app/cli/infer/chat_file.h"

#include "app/cli/infer/conversation_file.h"
#include "core/base/text.h"
#include "core/infer/chat_document.h"
#include "core/io/atomic_writer.h"
#include "core/text/jinja/json_values.h"

namespace wb::cli {
namespace {

namespace jinja = text::jinja;

constexpr std::uint64_t maxFile = 256ull << 20;

const std::string* textOf(const jinja::Dict& members, std::string_view key) {
    const jinja::Value* const value = members.find(key);
    return value && value->text() ? &value->text()->bytes : nullptr;
}

bool isRole(const std::string& role) { return role == "system" || role == "user" || role == "assistant"; }

// Nothing where something is no conversation of this format.
std::optional<std::vector<infer::ChatMessage>> messagesOf(const jinja::Value& file) {
    const jinja::Dict* const members = file.dict();
    const std::string* const format = members ? textOf(*members, "format") : nullptr;
    const jinja::Value* const list = members ? members->find("messages") : nullptr;
    if (!format || *format != infer::chatFormat || !list || !list->list()) return std::nullopt;
    std::vector<infer::ChatMessage> messages;
    for (const jinja::Value& item : *list->list()) {
        const jinja::Dict* const message = item.dict();
        const std::string* const role = message ? textOf(*message, "role") : nullptr;
        const std::string* const content = message ? textOf(*message, "content") : nullptr;
        if (!role || !content || !isRole(*role)) return std::nullopt;
        messages.push_back({*role, *content});
    }
    return messages;
}

} // namespace

Result<std::vector<infer::ChatMessage>> readChatFile(const std::string& path) {
    WB_TRY_ASSIGN(const std::string text, readTextFile(path, maxFile));
    const auto parsed = isUtf8(text) ? jinja::valueOfJson(text) : std::nullopt;
    auto messages = parsed ? messagesOf(*parsed) : std::nullopt;
    if (!messages)
        return fail(ErrorCode::Malformed, Reason("chat.file"), About{path},
                    WB_TEXT("{} is no saved conversation; the window exports such files, and --save writes them."), path);
    return *std::move(messages);
}

Result<void> writeChatFile(const std::string& path, std::span<const infer::ChatMessage> messages) {
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(std::filesystem::path(path)));
    WB_TRY(writer.write(infer::chatDocument(messages)));
    return writer.commit();
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "core/chat/conversation.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace wb::chat {

Conversation::Conversation(ConversationHead stored, std::vector<Turn> turns) : head(std::move(stored)), m_turns(std::move(turns)) {
    std::ranges::sort(m_turns, {}, &Turn::id);
    // A parent is older than its child, which rules out circles.
    for (Turn& turn : m_turns)
        if (turn.parent >= turn.id || (turn.parent != 0 && !find(turn.parent))) turn.parent = 0;
    if (!find(head.leaf)) head.leaf = m_turns.empty() ? 0 : m_turns.back().id;
}

const Turn* Conversation::find(std::int64_t id) const {
    const auto found = std::ranges::lower_bound(m_turns, id, {}, &Turn::id);
    return found != m_turns.end() && found->id == id ? &*found : nullptr;
}

std::vector<const Turn*> Conversation::branch() const {
    std::vector<const Turn*> turns;
    for (const Turn* turn = find(head.leaf); turn; turn = find(turn->parent)) turns.push_back(turn);
    std::ranges::reverse(turns);
    return turns;
}

std::vector<Message> Conversation::messages() const {
    std::vector<Message> messages;
    for (const Turn* turn : branch()) messages.push_back({turn->role, turn->text});
    return messages;
}

std::vector<std::int64_t> Conversation::versions(std::int64_t id) const {
    std::vector<std::int64_t> ids;
    const Turn* const turn = find(id);
    if (!turn) return ids;
    for (const Turn& other : m_turns)
        if (other.parent == turn->parent && other.role == turn->role) ids.push_back(other.id);
    return ids;
}

Turn& Conversation::add(std::int64_t parent, Role role, std::string text) {
    const std::int64_t id = m_turns.empty() ? 1 : m_turns.back().id + 1;
    m_turns.push_back({id, parent, role, std::move(text), {}});
    m_changed.push_back(id);
    head.leaf = id;
    return m_turns.back();
}

Turn* Conversation::edit(std::int64_t id) {
    auto* const turn = const_cast<Turn*>(find(id));
    if (turn && std::ranges::find(m_changed, id) == m_changed.end()) m_changed.push_back(id);
    return turn;
}

void Conversation::show(std::int64_t id) {
    if (!find(id)) return;
    head.leaf = id;
    // Children follow their parents, so one walk finds the newest child of each in turn; the last one wins.
    for (std::int64_t last = 0; last != head.leaf;) {
        last = head.leaf;
        for (const Turn& turn : m_turns)
            if (turn.parent == last) head.leaf = turn.id;
    }
}

void Conversation::rewind(std::int64_t id) {
    if (id == 0 || find(id)) head.leaf = id;
}

void Conversation::removeLast(std::int64_t id) {
    const Turn* const turn = find(id);
    if (!turn || std::ranges::find(m_turns, id, &Turn::parent) != m_turns.end()) return;
    if (head.leaf == id) head.leaf = turn->parent;
    std::erase_if(m_turns, [id](const Turn& other) { return other.id == id; });
    std::erase(m_changed, id);
    m_removed.push_back(id);
}

std::vector<Turn> Conversation::takeChanged() {
    std::vector<Turn> turns;
    for (const std::int64_t id : std::exchange(m_changed, {}))
        if (const Turn* turn = find(id)) turns.push_back(*turn);
    return turns;
}

std::vector<std::int64_t> Conversation::takeRemoved() { return std::exchange(m_removed, {}); }

std::string titleFromMessage(std::string_view message) {
    constexpr std::size_t bytes = 80;
    std::string words;
    for (const char c : utf8Prefix(message, 4 * bytes)) {
        const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isBlank) words += c;
        else if (!words.empty() && words.back() != ' ') words += ' ';
    }
    const std::string_view cut = utf8Prefix(words, bytes);
    return cut.size() < words.size() ? std::string(cut) + "…" : std::string(cut);
}

} // namespace wb::chat

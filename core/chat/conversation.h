// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/message.h"
#include "core/infer/finish_reason.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::chat {

// Why a response ended, its speed and its model. A message of the user has none of it.
struct AnswerFacts {
    infer::FinishReason end = infer::FinishReason::Unfinished;
    std::int64_t tokens = 0;
    double firstSeconds = 0; // until the first token
    double seconds = 0;      // from then on
    std::string model;       // name of the file that answered; empty: not known

    double rate() const { return seconds > 0 ? static_cast<double>(tokens) / seconds : 0; } // tokens per second
    friend bool operator==(const AnswerFacts&, const AnswerFacts&) = default;
};

// What one side said. Turns form a tree: an edited message or an answer that was asked for again is a further child of the turn
// before it.
struct Turn {
    std::int64_t id = 0;     // > 0; grows with time within a conversation
    std::int64_t parent = 0; // 0: nothing was said before
    Role role = Role::User;
    std::string text;
    AnswerFacts facts;

    friend bool operator==(const Turn&, const Turn&) = default;
};

// The entry of a conversation in the list.
struct ConversationHead {
    std::int64_t id = 0; // > 0; 0: not begun
    std::string title;
    std::string model;        // path of the file that was last talked to
    std::string settings;     // a JSON object: the instruction and the sampling of this conversation
    std::int64_t leaf = 0;    // the last turn of the branch that is shown; 0: none
    std::int64_t created = 0; // milliseconds since 1970, UTC
    std::int64_t changed = 0;

    friend bool operator==(const ConversationHead&, const ConversationHead&) = default;
};

// A conversation with all its branches.
class Conversation {
public:
    ConversationHead head;

    Conversation() = default;
    // Turns in any order; those whose parent does not exist hang below nothing, so that damaged ones stay readable.
    Conversation(ConversationHead stored, std::vector<Turn> turns);

    bool isEmpty() const { return m_turns.empty(); }
    const std::vector<Turn>& turns() const { return m_turns; } // by id
    const Turn* find(std::int64_t id) const;

    // The branch that is shown, from the first turn to the leaf.
    std::vector<const Turn*> branch() const;
    std::vector<Message> messages() const;

    // The turns with the same parent and role, the oldest first; `id` is among them.
    std::vector<std::int64_t> versions(std::int64_t id) const;

    // Adds a turn below `parent` and shows its branch. The result is valid until the next call that is not const.
    Turn& add(std::int64_t parent, Role role, std::string text = {});
    Turn* edit(std::int64_t id);

    // Shows the branch through this turn, down to its newest turn.
    void show(std::int64_t id);
    // Shows the branch up to this turn and not further; 0: nothing of it. The turns that follow stay as branches.
    void rewind(std::int64_t id);
    // Takes a turn out that has no turns below it; the branch then ends before it.
    void removeLast(std::int64_t id);

    // What changed since the last call, for the store: turns that were added or edited. Their number is small.
    std::vector<Turn> takeChanged();
    std::vector<std::int64_t> takeRemoved();

private:
    std::vector<Turn> m_turns; // by id
    std::vector<std::int64_t> m_changed;
    std::vector<std::int64_t> m_removed;
};

// A title from the first message: its first words on one line.
std::string titleFromMessage(std::string_view message);

} // namespace wb::chat

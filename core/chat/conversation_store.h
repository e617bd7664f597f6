// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/chat/conversation.h"

#include <functional>
#include <memory>

namespace wb::chat {

// One change of a conversation to be saved: its head, and the turns that were added, changed or removed since the last time.
struct ConversationChange {
    ConversationHead head;
    std::vector<std::int64_t> removed; // leave before the changed ones arrive
    std::vector<Turn> changed;
};

// Where conversations are kept between starts; app/store has the one in SQLite. One thread owns a store: it opens, uses and
// destroys it. Every call is atomic, also if the program is killed in the middle of it. Errors: NotReadable,
// NotWritable, NoRoom.
class ConversationStore {
public:
    virtual ~ConversationStore() = default;

    // Those with these words in their title or in a turn, upper or lower case; all for an empty text. The last changed first.
    virtual Result<std::vector<ConversationHead>> list(const std::string& words) = 0;

    // NotFound if it no longer exists.
    virtual Result<Conversation> load(std::int64_t id) = 0;

    // Adds the conversation where it does not exist yet.
    virtual Result<void> save(const ConversationChange& change) = 0;

    virtual Result<void> rename(std::int64_t id, const std::string& title) = 0;
    virtual Result<void> remove(std::int64_t id) = 0;

    // What opening had to do with a damaged store, once; empty otherwise.
    virtual std::optional<Error> takeNotice() = 0;
};

using OpenConversations = std::function<Result<std::unique_ptr<ConversationStore>>()>;

} // namespace wb::chat

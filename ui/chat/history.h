// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_store.h"

#include <QObject>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace wb::ui::chat {

// The conversations as the window sees them: requests from the GUI thread are served in order by one thread, which owns the store;
// answers come back as signals on the GUI thread. Destruction completes earlier requests, so that no last word is lost.
class History : public QObject {
    Q_OBJECT

public:
    explicit History(wb::chat::OpenConversations open, QObject* parent = nullptr);
    ~History() override;

    // A later list replaces one that still waits.
    void list(const std::string& words);
    enum class Purpose { Show, Export };
    void load(std::int64_t id, Purpose purpose = Purpose::Show);
    // What cannot be saved, on a full disk for instance, is tried again with the next change of any conversation.
    void save(wb::chat::ConversationChange change);
    void rename(std::int64_t id, const std::string& title);
    void remove(std::int64_t id);

    // For tests: returns when all that was asked for has been done.
    void wait();

signals:
    void listed(const std::vector<wb::chat::ConversationHead>& heads);
    void loaded(const wb::chat::Conversation& conversation, wb::ui::chat::History::Purpose purpose);
    void changed(); // the list has to be asked for again
    void failed(const wb::Error& error);
    void noticed(const wb::Error& notice); // the store was damaged and has been repaired

private:
    using Work = std::function<void(wb::chat::ConversationStore&)>;

    void give(Work work, bool isList = false);
    void run(const std::stop_token& stop);
    void keepUnsaved(const wb::chat::ConversationChange& change);
    bool serve(const std::stop_token& stop, wb::chat::ConversationStore* store, const Error& error);
    template <class Signal, class... Values>
    void say(Signal signal, Values... values);

    struct Order {
        Work work;
        bool isList;
    };

    wb::chat::OpenConversations m_open;
    std::mutex m_mutex;
    std::condition_variable m_wake, m_done;
    std::deque<Order> m_orders;
    std::vector<wb::chat::ConversationChange> m_unsaved; // of the thread alone
    bool m_busy = true;                                  // opening counts
    std::vector<std::jthread> m_threads;                 // one; last: starts when all else is there
};

} // namespace wb::ui::chat

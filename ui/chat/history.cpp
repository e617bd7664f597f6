// SPDX-License-Identifier: MIT
#include "ui/chat/history.h"

#include "core/jobs/add_thread.h"
#include "core/jobs/stop_wait.h"

#include <algorithm>
#include <optional>

namespace wb::ui::chat {

using namespace wb::chat;

History::History(OpenConversations open, QObject* parent) : QObject(parent), m_open(std::move(open)) {
    if (!jobs::addThread(m_threads, [this](const std::stop_token& stop) { run(stop); })) m_busy = false;
}

History::~History() {
    for (std::jthread& thread : m_threads) thread.request_stop();
    m_threads.clear(); // waits
}

template <class Signal, class... Values>
void History::say(Signal signal, Values... values) {
    QMetaObject::invokeMethod(this, [this, signal, ... values = std::move(values)] { (this->*signal)(values...); });
}

void History::give(Work work, bool isList) {
    {
        const std::scoped_lock lock(m_mutex);
        if (m_threads.empty()) return;
        if (isList) std::erase_if(m_orders, [](const Order& order) { return order.isList; });
        m_orders.push_back({std::move(work), isList});
    }
    m_wake.notify_all();
}

void History::run(const std::stop_token& stop) {
    Result<std::unique_ptr<ConversationStore>> store = m_open();
    if (!store) say(&History::failed, store.error());
    else if (const auto notice = (*store)->takeNotice()) say(&History::noticed, *notice);
    while (serve(stop, store ? store->get() : nullptr, store ? Error() : store.error()));
}

// The next order; false at the end. Without a store its error is reported again, since each request deserves an answer.
bool History::serve(const std::stop_token& stop, ConversationStore* store, const Error& error) {
    Order order;
    {
        std::unique_lock lock(m_mutex);
        m_busy = false;
        m_done.notify_all();
        if (!jobs::waitUnlessStopped(m_wake, lock, stop, [this] { return !m_orders.empty(); })) return false;
        order = std::move(m_orders.front());
        m_orders.pop_front();
        m_busy = true;
    }
    if (store) order.work(*store);
    else if (!order.isList) say(&History::failed, error);
    return true;
}

void History::list(const std::string& words) {
    const auto work = [this, words](ConversationStore& store) {
        auto heads = store.list(words);
        if (heads) say(&History::listed, std::move(*heads));
        else say(&History::failed, heads.error());
    };
    give(work, true);
}

void History::load(std::int64_t id, Purpose purpose) {
    give([this, id, purpose](ConversationStore& store) {
        auto conversation = store.load(id);
        if (conversation) say(&History::loaded, std::move(*conversation), purpose);
        else say(&History::failed, conversation.error());
    });
}

void History::save(ConversationChange change) {
    give([this, change = std::move(change)](ConversationStore& store) {
        keepUnsaved(change);
        std::optional<Error> error;
        std::erase_if(m_unsaved, [&](const ConversationChange& unsaved) {
            const auto saved = store.save(unsaved);
            if (!saved) error = saved.error();
            return saved.has_value();
        });
        if (error) say(&History::failed, *error);
        else say(&History::changed);
    });
}

// Next to what could not be saved before: of a conversation as one change, of a turn what is newest.
void History::keepUnsaved(const ConversationChange& change) {
    const auto of = [](const ConversationChange& one) { return one.head.id; };
    const auto known = std::ranges::find(m_unsaved, change.head.id, of);
    if (known == m_unsaved.end()) return m_unsaved.push_back(change);
    known->head = change.head;
    const auto isReplaced = [&change](const Turn& turn) {
        return std::ranges::find(change.removed, turn.id) != change.removed.end() ||
               std::ranges::find(change.changed, turn.id, &Turn::id) != change.changed.end();
    };
    std::erase_if(known->changed, isReplaced);
    known->changed.insert(known->changed.end(), change.changed.begin(), change.changed.end());
    known->removed.insert(known->removed.end(), change.removed.begin(), change.removed.end());
}

void History::rename(std::int64_t id, const std::string& title) {
    give([this, id, title](ConversationStore& store) {
        const auto renamed = store.rename(id, title);
        if (renamed) say(&History::changed);
        else say(&History::failed, renamed.error());
    });
}

void History::remove(std::int64_t id) {
    give([this, id](ConversationStore& store) {
        std::erase_if(m_unsaved, [id](const ConversationChange& change) { return change.head.id == id; });
        const auto removed = store.remove(id);
        if (removed) say(&History::changed);
        else say(&History::failed, removed.error());
    });
}

void History::wait() {
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return !m_busy && m_orders.empty(); });
}

} // namespace wb::ui::chat

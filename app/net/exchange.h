// SPDX-License-Identifier: MIT
#pragma once

#include "app/net/event_queue.h"

#include <QObject>

namespace wb {

// One request on the loop's thread, whose answer becomes events.
class Exchange : public QObject {
    Q_OBJECT

public:
    Exchange(net::RequestId id, std::shared_ptr<EventQueue> queue, QObject* parent)
        : QObject(parent), m_id(id), m_queue(std::move(queue)) {}

    net::RequestId id() const { return m_id; }
    virtual void readOn() = 0; // after the queue was full

signals:
    void ended(wb::net::RequestId id);

protected:
    static constexpr qint64 bufferBytes = 2 << 20;    // of one answer, before its server has to wait
    static constexpr qint64 longestPiece = 256 << 10; // of one event

    EventQueue& queue() { return *m_queue; }

private:
    net::RequestId m_id;
    std::shared_ptr<EventQueue> m_queue;
};

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include "app/net/event_queue.h"

#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QSslCertificate>

class QNetworkAccessManager;

namespace wb {

// One request on the loop's thread: turns the signals of a QNetworkReply into events.
class Exchange : public QObject {
    Q_OBJECT

public:
    // `authorities` are trusted beyond the system's.
    Exchange(net::RequestId id, const net::Request& request, const QList<QSslCertificate>& authorities,
             QNetworkAccessManager& manager, std::shared_ptr<EventQueue> queue, QObject* parent);
    ~Exchange() override;

    net::RequestId id() const { return m_id; }
    void readOn(); // after the queue was full

signals:
    void ended(wb::net::RequestId id);

private:
    void sendHead();
    void refuse(const char* detail);
    void read();
    void finish();

    net::RequestId m_id;
    std::shared_ptr<EventQueue> m_queue;
    QPointer<QNetworkReply> m_reply;
    bool m_hasHead = false;
    bool m_isFinished = false;                // the reply; its last bytes may still wait
    std::optional<std::uint64_t> m_announced; // bytes of the body
    std::uint64_t m_received = 0;
};

} // namespace wb

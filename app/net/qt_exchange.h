// SPDX-License-Identifier: MIT
#pragma once

#include "app/net/exchange.h"

#include <QNetworkReply>
#include <QPointer>
#include <QSslCertificate>

class QNetworkAccessManager;

namespace wb {

// Turns the signals of a QNetworkReply into events. Qt before 6.5 takes an informational answer other than 100 for the answer
// itself and drops the one after it: the exchange then has no event and ends with `interim`, and the request has to be sent
// otherwise (SocketExchange).
class QtExchange final : public Exchange {
    Q_OBJECT

public:
    // `authorities` are trusted beyond the system's.
    QtExchange(net::RequestId id, const net::Request& request, const QList<QSslCertificate>& authorities,
               QNetworkAccessManager& manager, std::shared_ptr<EventQueue> queue, QObject* parent);
    ~QtExchange() override;

    void readOn() override;

signals:
    void interim(wb::net::RequestId id); // instead of ended()

private:
    void sendHead();
    void refuse(const char* detail);
    void read();
    void finish();
    bool isInterim() const;

    QPointer<QNetworkReply> m_reply;
    bool m_hasHead = false;
    bool m_isFinished = false;                // the reply; its last bytes may still wait
    std::optional<std::uint64_t> m_announced; // bytes of the body
    std::uint64_t m_received = 0;
};

} // namespace wb

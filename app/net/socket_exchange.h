// SPDX-License-Identifier: MIT
#pragma once

#include "app/net/exchange.h"
#include "core/net/response_parser.h"

#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslSocket>

namespace wb {

// One request over its own connection, for servers whose answers QtNetwork cannot read (informational answers with Qt before
// 6.5). Proxies, certificates and events are as those of QtExchange.
class SocketExchange final : public Exchange {
    Q_OBJECT

public:
    SocketExchange(net::RequestId id, const net::Request& request, const QList<QSslCertificate>& authorities,
                   const QNetworkProxy& proxy, std::shared_ptr<EventQueue> queue, QObject* parent);
    ~SocketExchange() override;

    void readOn() override { read(); }

private:
    void send();
    void read();
    void finish(std::optional<net::Failure> failure);

    net::Request m_request;
    net::ResponseParser m_parser;
    QSslSocket m_socket;
    bool m_isClosed = false;
    bool m_hasEnded = false;
    net::Failure m_failure; // why the connection closed, where it was no end in order
};

} // namespace wb

// SPDX-License-Identifier: MIT
#include "app/net/socket_exchange.h"

#include <QSslConfiguration>

namespace wb {
namespace {

net::FailureKind kindOfSocket(QAbstractSocket::SocketError error) {
    switch (error) {
    case QAbstractSocket::HostNotFoundError: return net::FailureKind::Resolve;
    case QAbstractSocket::ConnectionRefusedError:
    case QAbstractSocket::NetworkError: return net::FailureKind::Connect;
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError: return net::FailureKind::Tls;
    case QAbstractSocket::SocketTimeoutError: return net::FailureKind::Timeout;
    case QAbstractSocket::ProxyAuthenticationRequiredError:
    case QAbstractSocket::ProxyConnectionRefusedError:
    case QAbstractSocket::ProxyConnectionClosedError:
    case QAbstractSocket::ProxyConnectionTimeoutError:
    case QAbstractSocket::ProxyNotFoundError:
    case QAbstractSocket::ProxyProtocolError: return net::FailureKind::Proxy;
    default: return net::FailureKind::Reset;
    }
}

std::string requestText(const net::Request& request) {
    std::string text =
        request.method + " " + request.url.target + " HTTP/1.1\r\nHost: " + request.url.authority() + "\r\nConnection: close\r\n";
    for (const net::HeaderField& field : request.headers.fields()) text += field.name + ": " + field.value + "\r\n";
    if (!request.body.empty()) text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    return text + "\r\n" + request.body;
}

} // namespace

SocketExchange::SocketExchange(net::RequestId id, const net::Request& request, const QList<QSslCertificate>& authorities,
                               const QNetworkProxy& proxy, std::shared_ptr<EventQueue> queue, QObject* parent)
    : Exchange(id, std::move(queue), parent), m_request(request), m_parser(request.method == "HEAD") {
    m_socket.setProxy(proxy);
    m_socket.setReadBufferSize(bufferBytes);
    if (!authorities.isEmpty()) {
        QSslConfiguration tls = m_socket.sslConfiguration();
        tls.addCaCertificates(authorities);
        m_socket.setSslConfiguration(tls);
    }
    connect(&m_socket, request.url.isSecure() ? &QSslSocket::encrypted : &QSslSocket::connected, this, &SocketExchange::send);
    connect(&m_socket, &QSslSocket::readyRead, this, &SocketExchange::read);
    connect(&m_socket, &QSslSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
        m_isClosed = true;
        if (error != QAbstractSocket::RemoteHostClosedError)
            m_failure = {kindOfSocket(error), m_socket.errorString().toStdString()};
        read();
    });
    const QString host = QString::fromStdString(request.url.host);
    if (request.url.isSecure()) m_socket.connectToHostEncrypted(host, request.url.port);
    else m_socket.connectToHost(host, request.url.port);
}

SocketExchange::~SocketExchange() {
    m_socket.disconnect(this);
    m_socket.abort();
}

void SocketExchange::send() {
    const std::string text = requestText(m_request);
    m_socket.write(text.data(), static_cast<qint64>(text.size()));
}

void SocketExchange::read() {
    const auto sink = [this](std::variant<net::Head, net::Body> part) {
        std::visit([this](auto& what) { queue().push({id(), std::move(what)}); }, part);
    };
    while (!m_hasEnded && !m_parser.isDone() && m_socket.bytesAvailable() > 0) {
        if (queue().isFull()) return; // readOn() follows
        const QByteArray piece = m_socket.read(longestPiece);
        if (piece.isEmpty()) break;
        const auto taken = m_parser.take({piece.data(), static_cast<std::size_t>(piece.size())}, sink);
        if (!taken) return finish(taken.error());
    }
    if (m_hasEnded) return;
    if (m_parser.isDone()) return finish({});
    if (!m_isClosed) return;
    if (!m_failure.detail.empty()) return finish(m_failure);
    const auto closed = m_parser.close();
    finish(closed ? std::nullopt : std::optional(closed.error()));
}

void SocketExchange::finish(std::optional<net::Failure> failure) {
    m_hasEnded = true;
    queue().push({id(), net::Event::End{std::move(failure)}});
    m_socket.disconnect(this);
    m_socket.abort();
    emit ended(id());
}

} // namespace wb

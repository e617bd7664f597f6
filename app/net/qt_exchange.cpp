// SPDX-License-Identifier: MIT
#include "app/net/qt_exchange.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkRequest>
#include <QSslConfiguration>
#include <QUrl>

namespace wb {
namespace {

QNetworkRequest requestFromRequest(const net::Request& request) {
    QNetworkRequest out(QUrl::fromEncoded(QByteArray::fromStdString(request.url.text()), QUrl::StrictMode));
    for (const net::HeaderField& field : request.headers.fields())
        out.setRawHeader(QByteArray::fromStdString(field.name), QByteArray::fromStdString(field.value));
    out.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    out.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    out.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    out.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    out.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    out.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    out.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    out.setDecompressedSafetyCheckThreshold(-1);
    return out;
}

net::FailureKind errorKind(QNetworkReply::NetworkError error) {
    switch (error) {
    case QNetworkReply::HostNotFoundError: return net::FailureKind::Resolve;
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::UnknownNetworkError: return net::FailureKind::Connect;
    case QNetworkReply::SslHandshakeFailedError: return net::FailureKind::Tls;
    case QNetworkReply::TimeoutError: return net::FailureKind::Timeout;
    case QNetworkReply::OperationCanceledError: return net::FailureKind::Canceled;
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError: return net::FailureKind::Proxy;
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError: return net::FailureKind::Protocol;
    default: return net::FailureKind::Reset;
    }
}

// Fields that no correct server sends, and that let two readers of one answer see two different bodies (RFC 9112, 6.3).
const char* headersRefusal(const net::Headers& headers) {
    constexpr std::size_t maxBytes = 64 << 10;
    std::size_t bytes = 0;
    for (const net::HeaderField& field : headers.fields()) bytes += field.name.size() + field.value.size();
    if (bytes > maxBytes) return "the head is too large";
    const bool hasLength = headers.find("Content-Length") != nullptr;
    if (hasLength && headers.find("Transfer-Encoding")) return "two lengths of one body";
    if (hasLength && !net::contentLength(headers)) return "Content-Length is not a number";
    return nullptr;
}

// Qt expects a body of every verb that it does not know by its own function, of HEAD too.
QNetworkReply* send(QNetworkAccessManager& manager, const QNetworkRequest& out, const net::Request& request) {
    if (request.method == "GET") return manager.get(out);
    if (request.method == "HEAD") return manager.head(out);
    return manager.sendCustomRequest(out, QByteArray::fromStdString(request.method), QByteArray::fromStdString(request.body));
}

} // namespace

QtExchange::QtExchange(net::RequestId id, const net::Request& request, const QList<QSslCertificate>& authorities,
                       QNetworkAccessManager& manager, std::shared_ptr<EventQueue> queue, QObject* parent)
    : Exchange(id, std::move(queue), parent) {
    QNetworkRequest out = requestFromRequest(request);
    // Only with its own password for its own proxy may Qt answer a challenge: never with the user's sign-on to any host that
    // requests it.
    if (!manager.proxy().user().isEmpty())
        out.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Automatic);
    if (!authorities.isEmpty()) {
        QSslConfiguration tls = out.sslConfiguration();
        tls.addCaCertificates(authorities);
        out.setSslConfiguration(tls);
    }
    m_reply = send(manager, out, request);
    m_reply->setParent(this);
    m_reply->setReadBufferSize(bufferBytes);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &QtExchange::sendHead);
    connect(m_reply, &QNetworkReply::readyRead, this, &QtExchange::read);
    connect(m_reply, &QNetworkReply::finished, this, [this] {
        m_isFinished = true;
        read();
    });
}

QtExchange::~QtExchange() {
    if (!m_reply) return;
    m_reply->disconnect(this);
    m_reply->abort();
}

void QtExchange::readOn() {
    if (m_reply) read();
}

// Qt gathers header lines of the same name in one, joined by commas.
void QtExchange::sendHead() {
    if (m_hasHead) return;
    const QVariant status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
    if (!status.isValid() || status.toInt() < 200) return; // isInterim()
    net::Head head;
    head.status = status.toInt();
    for (const auto& [name, value] : m_reply->rawHeaderPairs()) head.headers.add(name.toStdString(), value.toStdString());
    if (const char* refusal = headersRefusal(head.headers)) return refuse(refusal);
    m_announced = net::contentLength(head.headers);
    m_hasHead = true;
    queue().push({id(), std::move(head)});
}

void QtExchange::refuse(const char* detail) {
    queue().push({id(), net::Event::End{net::Failure{net::FailureKind::Protocol, detail}}});
    m_reply->disconnect(this);
    m_reply->abort();
    m_reply->deleteLater();
    m_reply.clear();
    emit ended(id());
}

void QtExchange::read() {
    sendHead();
    if (!m_reply) return; // refused
    while (m_hasHead && m_reply->bytesAvailable() > 0) {
        if (queue().isFull()) return; // readOn() follows
        net::Body piece(static_cast<std::size_t>(std::min(m_reply->bytesAvailable(), longestPiece)));
        const qint64 got = m_reply->read(reinterpret_cast<char*>(piece.data()), static_cast<qint64>(piece.size()));
        if (got <= 0) break;
        piece.resize(static_cast<std::size_t>(got));
        m_received += piece.size();
        queue().push({id(), std::move(piece)});
    }
    if (m_isFinished) finish();
}

bool QtExchange::isInterim() const {
    constexpr int firstInterim = 100, firstFinal = 200;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    return status >= firstInterim && status < firstFinal;
}

// A status of 400 and above is an answer like any other; Qt calls it an error too.
void QtExchange::finish() {
    if (!m_reply) return;
    if (!m_hasHead && isInterim()) {
        m_reply->deleteLater();
        m_reply.clear();
        emit interim(id());
        return;
    }
    std::optional<net::Failure> failure;
    const auto error = m_reply->error();
    if (!m_hasHead) {
        failure = net::Failure{error == QNetworkReply::NoError ? net::FailureKind::Protocol : errorKind(error),
                               m_reply->errorString().toStdString()};
    } else if (error != QNetworkReply::NoError && (error < 200 || error == QNetworkReply::ProtocolFailure)) {
        failure = net::Failure{errorKind(error), m_reply->errorString().toStdString()};
    } else if (m_announced && m_received < *m_announced && m_reply->operation() != QNetworkAccessManager::HeadOperation) {
        failure = net::Failure{net::FailureKind::Reset, "the body ended early"};
    }
    queue().push({id(), net::Event::End{std::move(failure)}});
    m_reply->deleteLater();
    m_reply.clear();
    emit ended(id());
}

} // namespace wb

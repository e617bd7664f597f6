// SPDX-License-Identifier: MIT
#include "app/net/qt_transport.h"

#include "app/net/qt_exchange.h"
#include "app/net/socket_exchange.h"
#include "core/io/byte_source.h"
#include "core/jobs/add_thread.h"

#include <QAuthenticator>
#include <QEventLoop>
#include <QFile>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkProxyFactory>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QUrl>

#include <atomic>
#include <future>
#include <set>

namespace wb {
namespace {

// Qt opens at most six connections a host and manager, so that several managers carry the eight of a large download.
constexpr int managerCount = 2;

// Lives on the loop's thread.
class Loop : public QObject {
public:
    Loop(const QNetworkProxy& proxy, bool useSystemProxy, const QList<QSslCertificate>& authorities) : m_authorities(authorities) {
        for (int i = 0; i < managerCount; ++i) {
            auto* manager = new QNetworkAccessManager(this);
            if (!useSystemProxy) manager->setProxy(proxy);
            manager->setAutoDeleteReplies(false);
            // Qt does not use the password of a proxy that forwards plain addresses by itself. Asked twice, it was wrong.
            connect(manager, &QNetworkAccessManager::proxyAuthenticationRequired, this,
                    [](const QNetworkProxy& asking, QAuthenticator* answer) {
                        if (answer->user() == asking.user() && answer->password() == asking.password()) return;
                        answer->setUser(asking.user());
                        answer->setPassword(asking.password());
                    });
            m_managers.push_back(manager);
        }
    }

    // A server that has sent informational answers is asked by SocketExchange from then on.
    void start(net::RequestId id, const net::Request& request, const std::shared_ptr<EventQueue>& queue) {
        if (m_interimServers.contains(request.url.origin())) return startOnSocket(id, request, queue);
        QNetworkAccessManager& manager = *m_managers[static_cast<qsizetype>(m_turn++ % managerCount)];
        auto* exchange = new QtExchange(id, request, m_authorities, manager, queue, this);
        add(exchange);
        connect(exchange, &QtExchange::interim, this, [this, request, queue](net::RequestId ended) {
            end(ended);
            m_interimServers.insert(request.url.origin());
            startOnSocket(ended, request, queue);
        });
    }

    void abort(net::RequestId id) { delete m_exchanges.take(id); }

    void readOn() {
        const auto exchanges = m_exchanges.values(); // reading may end some
        for (Exchange* exchange : exchanges) exchange->readOn();
    }

private:
    void startOnSocket(net::RequestId id, const net::Request& request, const std::shared_ptr<EventQueue>& queue) {
        add(new SocketExchange(id, request, m_authorities, proxyFor(request), queue, this));
    }

    void add(Exchange* exchange) {
        m_exchanges.insert(exchange->id(), exchange);
        connect(exchange, &Exchange::ended, this, &Loop::end);
    }

    void end(net::RequestId id) {
        if (Exchange* done = m_exchanges.take(id)) done->deleteLater();
    }

    // A proxy that only forwards plain requests is requested a tunnel.
    QNetworkProxy proxyFor(const net::Request& request) const {
        QNetworkProxy proxy = m_managers.front()->proxy();
        if (proxy.type() == QNetworkProxy::DefaultProxy) {
            const QUrl url = QUrl::fromEncoded(QByteArray::fromStdString(request.url.text()), QUrl::StrictMode);
            const QList<QNetworkProxy> found = QNetworkProxyFactory::proxyForQuery(QNetworkProxyQuery(url));
            proxy = found.isEmpty() ? QNetworkProxy(QNetworkProxy::NoProxy) : found.front();
        }
        if (proxy.type() == QNetworkProxy::HttpCachingProxy) proxy.setType(QNetworkProxy::HttpProxy);
        return proxy;
    }

    QList<QNetworkAccessManager*> m_managers;
    QList<QSslCertificate> m_authorities;
    QHash<net::RequestId, Exchange*> m_exchanges;
    std::set<std::string> m_interimServers; // origins
    unsigned m_turn = 0;
};

class QtTransport;

class QtSession : public net::NetworkSession {
public:
    explicit QtSession(QtTransport& transport) : m_transport(transport) {}
    ~QtSession() override;

    net::RequestId start(net::Request request) override;
    void abort(net::RequestId request) override;
    std::optional<net::Event> next(net::Time until, const std::stop_token& stop) override;

private:
    QtTransport& m_transport;
    std::shared_ptr<EventQueue> m_queue = std::make_shared<EventQueue>();
    std::unordered_set<net::RequestId> m_running;
};

class QtTransport : public net::Transport {
public:
    ~QtTransport() override {
        if (!m_loop) return;
        QMetaObject::invokeMethod(m_loop, [this] { m_events->quit(); });
        m_threads.clear(); // joins
    }

    Result<void> start(QNetworkProxy proxy, bool useSystemProxy, QList<QSslCertificate> authorities) {
        std::promise<void> ready;
        const bool isStarted = jobs::addThread(m_threads, [this, proxy, useSystemProxy, authorities, &ready] {
            QEventLoop events;
            Loop loop(proxy, useSystemProxy, authorities);
            m_events = &events;
            m_loop = &loop;
            ready.set_value();
            events.exec();
        });
        if (!isStarted)
            return fail(ErrorCode::Internal, Reason("net.no_thread"),
                        WB_TEXT("Cannot start a network thread; close other programs."));
        ready.get_future().wait();
        return {};
    }

    std::unique_ptr<net::NetworkSession> open() override { return std::make_unique<QtSession>(*this); }

    net::RequestId nextId() { return ++m_lastId; }
    void post(std::function<void(Loop&)> what) {
        QMetaObject::invokeMethod(m_loop, [loop = m_loop, what = std::move(what)] { what(*loop); }, Qt::QueuedConnection);
    }

private:
    std::atomic<net::RequestId> m_lastId{0};
    QEventLoop* m_events = nullptr;
    Loop* m_loop = nullptr;
    std::vector<std::jthread> m_threads;
};

QtSession::~QtSession() {
    for (const net::RequestId id : m_running) {
        m_queue->drop(id);
        m_transport.post([id](Loop& loop) { loop.abort(id); });
    }
}

net::RequestId QtSession::start(net::Request request) {
    const net::RequestId id = m_transport.nextId();
    m_queue->begin(id);
    m_running.insert(id);
    m_transport.post([id, request = std::move(request), queue = m_queue](Loop& loop) { loop.start(id, request, queue); });
    return id;
}

void QtSession::abort(net::RequestId request) {
    if (m_running.erase(request) == 0) return;
    m_queue->drop(request);
    m_transport.post([request](Loop& loop) {
        loop.abort(request);
        loop.readOn(); // what was dropped may have made room
    });
}

std::optional<net::Event> QtSession::next(net::Time until, const std::stop_token& stop) {
    auto event = m_queue->take(until, stop, [this] { m_transport.post([](Loop& loop) { loop.readOn(); }); });
    if (event && std::holds_alternative<net::Event::End>(event->what)) m_running.erase(event->request);
    return event;
}

Result<QNetworkProxy> proxyFromText(const std::string& text) {
    const QUrl url(QString::fromStdString(text.find("://") == std::string::npos ? "http://" + text : text), QUrl::StrictMode);
    const QString scheme = url.scheme();
    const bool isSocks = scheme == "socks5" || scheme == "socks5h", isHttp = scheme == "http" || scheme == "https";
    if (!url.isValid() || url.host().isEmpty() || !(isSocks || isHttp))
        return fail(ErrorCode::Invalid, Reason("net.bad_proxy"), About{"--proxy"},
                    WB_TEXT("Invalid proxy address; use http://host:port or socks5://host:port."));
    constexpr int usualSocks = 1080, usualHttp = 8080;
    return QNetworkProxy(isSocks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(),
                         static_cast<quint16>(url.port(isSocks ? usualSocks : usualHttp)), url.userName(), url.password());
}

// Follows what the system's settings say, on Linux the variables, of which Qt knows the small names only. HTTP_PROXY in capitals is
// omitted: a web server sets it from a stranger's header.
void useSystemProxy() {
    for (const auto& [capitals, small] :
         {std::pair("HTTPS_PROXY", "https_proxy"), std::pair("NO_PROXY", "no_proxy"), std::pair("ALL_PROXY", "all_proxy")})
        if (qEnvironmentVariableIsEmpty(small) && !qEnvironmentVariableIsEmpty(capitals)) qputenv(small, qgetenv(capitals));
    QNetworkProxyFactory::setUseSystemConfiguration(true);
}

Result<QList<QSslCertificate>> certificatesIn(const std::filesystem::path& path) {
    const std::string name = io::baseName(path);
    WB_TRY_ASSIGN(const auto file, io::FileSource::open(path));
    constexpr std::uint64_t maxBytes = 4u << 20;
    std::string text(std::min(file->size(), maxBytes), '\0');
    WB_TRY(file->readAt(0, std::as_writable_bytes(std::span(text))));
    QList<QSslCertificate> certificates = QSslCertificate::fromData(QByteArray::fromStdString(text), QSsl::Pem);
    certificates.removeIf([](const QSslCertificate& certificate) { return certificate.isNull(); });
    if (!certificates.isEmpty()) return certificates;
    return fail(ErrorCode::Malformed, Reason("net.no_certificates"), About{name},
                WB_TEXT("{} contains no certificate; expected a text file starting with -----BEGIN CERTIFICATE-----."), name);
}

} // namespace

Result<std::unique_ptr<net::Transport>> makeQtTransport(const NetworkOptions& options) {
    QNetworkProxy proxy;
    if (!options.proxy.empty()) {
        WB_TRY_ASSIGN(proxy, proxyFromText(options.proxy));
    }
    QList<QSslCertificate> authorities;
    if (!options.certificates.empty()) {
        WB_TRY_ASSIGN(authorities, certificatesIn(options.certificates));
    }
    if (options.proxy.empty()) useSystemProxy();
    auto transport = std::make_unique<QtTransport>();
    WB_TRY(transport->start(proxy, options.proxy.empty(), authorities));
    return transport;
}

} // namespace wb

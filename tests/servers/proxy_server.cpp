// SPDX-License-Identifier: MIT
#include "tests/servers/proxy_server.h"

#include "core/jobs/add_thread.h"

#include <fmt/format.h>

#include <QEventLoop>
#include <QTcpSocket>
#include <QUrl>

#include <future>

namespace wb::test {

// One client; bytes pass both ways once it has said where to.
class ProxyConnection : public QObject {
public:
    ProxyConnection(ProxyServer& proxy, QTcpSocket* client) : QObject(client), m_proxy(proxy), m_client(client), m_server(this) {
        connect(client, &QTcpSocket::readyRead, this, [this] { read(); });
        connect(client, &QTcpSocket::disconnected, &m_server, &QTcpSocket::disconnectFromHost);
        connect(&m_server, &QTcpSocket::readyRead, this, [this] { m_client->write(m_server.readAll()); });
        connect(&m_server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        connect(&m_server, &QTcpSocket::connected, this, [this] { pass(); });
    }

private:
    void read() {
        const QByteArray bytes = m_client->readAll();
        if (m_isPassing) {
            m_server.write(bytes);
            return;
        }
        m_head += bytes;
        if (m_head.startsWith('\x05')) readSocks();
        else if (m_head.contains("\r\n\r\n")) readHttp();
    }

    void readHttp() {
        const QByteArray first = m_head.left(m_head.indexOf("\r\n"));
        m_proxy.note(first.toStdString(), m_head.toStdString());
        const QByteArray wanted = "Proxy-Authorization: Basic " + QByteArray::fromStdString(m_proxy.m_password).toBase64();
        if (!m_proxy.m_password.empty() && !m_head.contains(wanted)) {
            m_head.clear();
            m_client->write("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n"
                            "Content-Length: 0\r\n\r\n");
            return;
        }
        const QList<QByteArray> words = first.split(' ');
        const bool isTunnel = words[0] == "CONNECT";
        const QUrl url(QString::fromLatin1(isTunnel ? "http://" + words[1] : words[1]));
        m_reply = isTunnel ? "HTTP/1.1 200 OK\r\n\r\n" : "";
        m_toServer.clear();
        if (!isTunnel) {
            const QByteArray target = url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority);
            m_toServer = words[0] + ' ' + target + " HTTP/1.1" + m_head.mid(first.size());
        }
        m_isPassing = isTunnel;
        m_head.clear();
        m_server.abort(); // of the request before, to perhaps another host
        m_server.connectToHost(url.host(), static_cast<quint16>(url.port(80)));
    }

    // RFC 1928: greeting, then CONNECT to an IPv4 address or a name.
    void readSocks() {
        if (!m_isGreeted) {
            if (m_head.size() < 2 || m_head.size() < 2 + m_head[1]) return;
            m_head.remove(0, 2 + m_head[1]);
            m_isGreeted = true;
            m_client->write("\x05\x00", 2);
        }
        if (m_head.size() < 7) return;
        const bool isName = m_head[3] == 3;
        const qsizetype hostBytes = isName ? static_cast<unsigned char>(m_head[4]) : 4, begin = isName ? 5 : 4;
        if (m_head.size() < begin + hostBytes + 2) return;
        const QByteArray host = m_head.mid(begin, hostBytes);
        const auto byte = [](char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)); };
        const QString name =
            isName ? QString::fromLatin1(host)
                   : QStringLiteral("%1.%2.%3.%4").arg(byte(host[0])).arg(byte(host[1])).arg(byte(host[2])).arg(byte(host[3]));
        const auto port = static_cast<quint16>(byte(m_head[begin + hostBytes]) << 8 | byte(m_head[begin + hostBytes + 1]));
        m_proxy.note(fmt::format("SOCKS5 {}:{}", name.toStdString(), port), m_head.toStdString());
        m_head.clear();
        m_reply = QByteArray("\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10);
        m_isPassing = true;
        m_server.connectToHost(name, port);
    }

    void pass() {
        if (!m_reply.isEmpty()) m_client->write(m_reply);
        if (!m_toServer.isEmpty()) m_server.write(m_toServer);
    }

    ProxyServer& m_proxy;
    QTcpSocket* m_client;
    QTcpSocket m_server;
    QByteArray m_head, m_reply, m_toServer;
    bool m_isPassing = false;
    bool m_isGreeted = false;
};

ProxyServer::ProxyServer(std::string password) : m_password(std::move(password)) {
    std::promise<void> ready;
    jobs::addThread(m_threads, [this, &ready] {
        QEventLoop loop;
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        QObject::connect(&server, &QTcpServer::newConnection, &server, [this, &server] {
            while (QTcpSocket* client = server.nextPendingConnection()) {
                new ProxyConnection(*this, client);
                QObject::connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
            }
        });
        m_port = server.serverPort();
        m_loop = &loop;
        ready.set_value();
        loop.exec();
    });
    ready.get_future().wait();
}

ProxyServer::~ProxyServer() {
    QMetaObject::invokeMethod(m_loop, [this] { m_loop->quit(); });
    m_threads.clear();
}

std::string ProxyServer::authority() const { return fmt::format("127.0.0.1:{}", m_port); }

void ProxyServer::note(const std::string& line, const std::string& head) {
    const std::lock_guard lock(m_mutex);
    m_asked.push_back(line);
    m_seen += head;
}

std::vector<std::string> ProxyServer::asked() const {
    const std::lock_guard lock(m_mutex);
    return m_asked;
}

std::string ProxyServer::seen() const {
    const std::lock_guard lock(m_mutex);
    return m_seen;
}

} // namespace wb::test

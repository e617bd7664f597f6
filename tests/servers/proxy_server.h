// SPDX-License-Identifier: MIT
#pragma once

#include <QTcpServer>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

class QEventLoop;

namespace wb::test {

// A proxy on this machine: HTTP with CONNECT and with whole addresses, or SOCKS5, by what the first byte says. Thread-safe.
class ProxyServer {
public:
    // `password` empty: anybody may pass; else "user:password" by Basic.
    explicit ProxyServer(std::string password = {});
    ~ProxyServer();
    ProxyServer(const ProxyServer&) = delete;
    ProxyServer& operator=(const ProxyServer&) = delete;

    std::string authority() const; // "127.0.0.1:1234"

    // The first lines that were asked of it ("CONNECT host:port HTTP/1.1", "SOCKS5 host:port"), and all bytes of heads that it saw.
    std::vector<std::string> asked() const;
    std::string seen() const;

private:
    friend class ProxyConnection;
    void note(const std::string& line, const std::string& head);

    std::string m_password;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_asked;
    std::string m_seen;
    quint16 m_port = 0;
    QEventLoop* m_loop = nullptr;
    std::vector<std::jthread> m_threads;
};

} // namespace wb::test

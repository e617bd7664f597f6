// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/headers.h"

#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTimer>

#include <functional>
#include <optional>
#include <string>

namespace wb::test {

// Byte i of a file is a cheap function of the seed and i, so a file of 100 GB needs no disk.
void formulaBytes(std::uint64_t seed, std::uint64_t offset, char* out, std::size_t bytes);

struct HttpRequest {
    std::string listener;
    std::string method;
    std::string target; // as it came, nothing decoded
    net::Headers headers;
    std::string body;
};

struct HttpResponse {
    int status = 200;
    net::Headers headers;
    std::string text;
    // Instead of the text: bytes [begin, end) of the formula.
    struct Formula {
        std::uint64_t seed = 0, begin = 0, end = 0;
    };
    std::optional<Formula> formula = {};
    bool hasLength = true;                         // else the body ends with the connection
    bool isSilent = false;                         // accepts and never answers
    std::optional<std::uint64_t> closeAt = {};     // after so many bytes of the body
    bool isReset = false;                          // closed with RST
    std::optional<std::uint64_t> stallAt = {};     // then nothing any more
    std::optional<std::uint64_t> wrongByteAt = {}; // of the file
    std::uint64_t extraBytes = 0;                  // beyond the announced ones
    std::uint64_t bytesPerSecond = 0;
    std::string interim = {}; // answers of 1xx before this one
    std::string rawHead = {}; // instead of the first line and all others, the empty one included
};

// HTTP/1.1 with keep-alive over one listener of 127.0.0.1 or another address of this machine, with TLS where it has a configuration
// for that. Lives on the thread of its loop.
class HttpServer : public QTcpServer {
    Q_OBJECT

public:
    using Handler = std::function<HttpResponse(const HttpRequest&)>;
    HttpServer(std::string name, Handler handler, const QHostAddress& address = QHostAddress::LocalHost,
               const std::optional<QSslConfiguration>& tls = std::nullopt);

    const std::string& name() const { return m_name; }
    HttpResponse answer(const HttpRequest& request) const { return m_handler(request); }

private:
    void incomingConnection(qintptr handle) override;

    std::string m_name;
    Handler m_handler;
    std::optional<QSslConfiguration> m_tls;
};

// One connection of a client.
class HttpConnection : public QObject {
    Q_OBJECT

public:
    HttpConnection(HttpServer& server, qintptr handle, const std::optional<QSslConfiguration>& tls);

private:
    void read();
    void respond(const HttpRequest& request);
    void send();
    void finishResponse();
    std::uint64_t bodyBytes() const;

    HttpServer& m_server;
    QSslSocket m_socket; // plain unless it is told to encrypt
    QTimer m_pace;
    std::string m_received;
    std::optional<HttpResponse> m_response;
    std::uint64_t m_sent = 0; // of its body
    bool m_isHead = false;
};

} // namespace wb::test

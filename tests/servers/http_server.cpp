// SPDX-License-Identifier: MIT
#include "tests/servers/http_server.h"

#include "core/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#ifdef _WIN32
#include <winsock2.h>
#else
#include <sys/socket.h>
#endif

namespace wb::test {
namespace {

constexpr std::uint64_t slabBytes = 256 << 10;
constexpr qint64 unsentBytes = 1 << 20; // in the socket's buffer

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find("\r\n");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    return line;
}

std::string textOfStatus(int status) { return status < 300 ? "OK" : status < 400 ? "Found" : "Error"; }

} // namespace

void formulaBytes(std::uint64_t seed, std::uint64_t offset, char* out, std::size_t bytes) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
    const auto word = [seed](std::uint64_t index) {
        const std::uint64_t x = (seed + index) * factor;
        return x ^ (x >> 29);
    };
    while (bytes > 0) {
        const std::size_t inWord = offset % 8;
        if (inWord == 0 && bytes >= 8) {
            const std::size_t words = bytes / 8;
            for (std::size_t i = 0; i < words; ++i) {
                const std::uint64_t value = word(offset / 8 + i);
                std::memcpy(out + i * 8, &value, 8);
            }
            out += words * 8, offset += words * 8, bytes -= words * 8;
            continue;
        }
        const std::uint64_t value = word(offset / 8);
        const std::size_t count = std::min(bytes, 8 - inWord);
        std::memcpy(out, reinterpret_cast<const char*>(&value) + inWord, count);
        out += count, offset += count, bytes -= count;
    }
}

HttpServer::HttpServer(std::string name, Handler handler, const QHostAddress& address, const std::optional<QSslConfiguration>& tls)
    : m_name(std::move(name)), m_handler(std::move(handler)), m_tls(tls) {
    setListenBacklogSize(64);
    listen(address);
}

void HttpServer::incomingConnection(qintptr handle) {
    auto* connection = new HttpConnection(*this, handle, m_tls);
    connection->setParent(this);
}

HttpConnection::HttpConnection(HttpServer& server, qintptr handle, const std::optional<QSslConfiguration>& tls) : m_server(server) {
    m_socket.setSocketDescriptor(handle);
    m_socket.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(&m_socket, &QSslSocket::readyRead, this, &HttpConnection::read);
    connect(&m_socket, &QSslSocket::bytesWritten, this, &HttpConnection::send);
    connect(&m_socket, &QSslSocket::disconnected, this, &QObject::deleteLater);
    connect(&m_pace, &QTimer::timeout, this, &HttpConnection::send);
    if (!tls) return;
    m_socket.setSslConfiguration(*tls);
    m_socket.startServerEncryption();
}

void HttpConnection::read() {
    m_received += m_socket.readAll().toStdString();
    while (!m_response) {
        const std::size_t end = m_received.find("\r\n\r\n");
        if (end == std::string::npos) return;
        std::string_view head = std::string_view(m_received).substr(0, end + 2);
        HttpRequest request;
        request.listener = m_server.name();
        const std::string_view first = takeLine(head);
        const std::size_t blank = first.find(' '), last = first.rfind(' ');
        request.method = first.substr(0, blank);
        request.target = first.substr(blank + 1, last - blank - 1);
        while (!head.empty()) {
            const std::string_view line = takeLine(head);
            const std::size_t colon = line.find(':');
            if (colon == std::string_view::npos) continue;
            std::string_view value = line.substr(colon + 1);
            while (value.starts_with(' ')) value.remove_prefix(1);
            request.headers.add(std::string(line.substr(0, colon)), std::string(value));
        }
        const std::size_t length = net::contentLength(request.headers).value_or(0);
        if (m_received.size() < end + 4 + length) return;
        request.body = m_received.substr(end + 4, length);
        m_received.erase(0, end + 4 + length);
        respond(request);
    }
}

std::uint64_t HttpConnection::bodyBytes() const {
    return m_response->formula ? m_response->formula->end - m_response->formula->begin : m_response->text.size();
}

void HttpConnection::respond(const HttpRequest& request) {
    HttpResponse response = m_server.answer(request);
    if (response.isSilent) return;
    m_isHead = request.method == "HEAD";
    m_response = std::move(response);
    m_sent = 0;
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", m_response->status, textOfStatus(m_response->status));
    for (const net::HeaderField& field : m_response->headers.fields()) head += field.name + ": " + field.value + "\r\n";
    const bool hasOwn = m_response->headers.find("Content-Length") || m_response->headers.find("Transfer-Encoding");
    if (m_response->hasLength && !hasOwn) head += fmt::format("Content-Length: {}\r\n", bodyBytes());
    if (!m_response->hasLength) head += "Connection: close\r\n";
    head += "\r\n";
    if (!m_response->rawHead.empty()) head = m_response->rawHead;
    head.insert(0, m_response->interim);
    m_socket.write(head.data(), static_cast<qint64>(head.size()));
    constexpr int paceMilliseconds = 10;
    if (m_response->bytesPerSecond > 0) m_pace.start(paceMilliseconds);
    send();
}

void HttpConnection::send() {
    if (!m_response) return;
    const std::uint64_t total = m_isHead ? 0 : bodyBytes() + m_response->extraBytes;
    std::uint64_t allowance = m_response->bytesPerSecond > 0 ? m_response->bytesPerSecond / 100 + 1 : ~0ull;
    std::string slab;
    while (m_sent < total && allowance > 0 && m_socket.bytesToWrite() < unsentBytes) {
        std::uint64_t count = std::min({total - m_sent, slabBytes, allowance});
        for (const auto& limit : {m_response->closeAt, m_response->stallAt})
            if (limit) count = std::min(count, *limit > m_sent ? *limit - m_sent : 0);
        if (count == 0) break;
        slab.resize(count);
        if (m_response->formula) formulaBytes(m_response->formula->seed, m_response->formula->begin + m_sent, slab.data(), count);
        else
            for (std::size_t i = 0; i < count; ++i)
                slab[i] = m_sent + i < m_response->text.size() ? m_response->text[m_sent + i] : 'x';
        const std::uint64_t begin = m_sent + (m_response->formula ? m_response->formula->begin : 0);
        if (m_response->wrongByteAt && *m_response->wrongByteAt >= begin && *m_response->wrongByteAt < begin + count)
            slab[*m_response->wrongByteAt - begin] ^= 1;
        m_socket.write(slab.data(), static_cast<qint64>(count));
        m_sent += count;
        allowance -= count;
    }
    if (m_response->closeAt && m_sent >= *m_response->closeAt && !m_isHead && m_sent < total) {
        m_socket.flush();
        if (m_socket.bytesToWrite() > 0) return;
        if (m_response->isReset) {
            const linger now{1, 0};
#ifdef _WIN32
            const auto handle = static_cast<SOCKET>(m_socket.socketDescriptor());
#else
            const auto handle = static_cast<int>(m_socket.socketDescriptor());
#endif
            ::setsockopt(handle, SOL_SOCKET, SO_LINGER, reinterpret_cast<const char*>(&now), sizeof now);
        }
        m_response.reset();
        m_socket.abort();
        return;
    }
    if (m_sent >= total) finishResponse();
}

void HttpConnection::finishResponse() {
    const bool stays = m_response->hasLength;
    m_pace.stop();
    m_response.reset();
    if (!stays) m_socket.disconnectFromHost();
    else QMetaObject::invokeMethod(this, &HttpConnection::read, Qt::QueuedConnection); // what came meanwhile
}

} // namespace wb::test

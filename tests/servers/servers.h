// SPDX-License-Identifier: MIT
#pragma once

#include "tests/servers/http_server.h"
#include "tests/servers/repositories.h"

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

class QEventLoop;

namespace wb::test {

// What a server does otherwise than it should, from the first matching request on, so many times.
struct Fault {
    std::string listener; // "HUB", "CDN", "MS" …
    std::string part;     // of the raw target; empty: any
    unsigned skip = 0;    // matching requests that are answered well before
    unsigned times = 1;
    bool onlyRanged = false; // requests with Range only
    std::function<void(const HttpRequest&, HttpResponse&)> change;
};

// The loopback hubs on free ports of 127.0.0.1: HUB and HUB2 (Hugging Face), MS (ModelScope), and the foreign hosts CDN,
// CDN2 and MSCDN that hold large files. They live on a thread of their own; every member is thread-safe.
class Servers {
public:
    Servers();
    ~Servers();
    Servers(const Servers&) = delete;
    Servers& operator=(const Servers&) = delete;

    std::string url(const std::string& listener) const; // "http://127.0.0.1:1234"

    // Another listener with the answers of `listener`, called `name` in url(): at an address of its own, "::1", or with TLS by
    // tests/data/tls/CERTIFICATE.pem. False where this machine has no such address.
    bool addListener(const std::string& name, const std::string& listener, const std::string& address);
    bool addTls(const std::string& name, const std::string& listener, const std::string& certificate,
                QSsl::SslProtocol protocol = QSsl::SecureProtocols);

    void add(ServedRepository repository); // on Hugging Face
    void addToModelScope(ServedRepository repository);
    void change(const std::string& id, const std::function<void(ServedRepository&)>& how);
    void fault(Fault fault);
    void clearFaults();

    // Addresses of large files that were given so far are refused from now on.
    void expireAddresses();

    // The token that private and gated repositories want.
    static constexpr const char* token = "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";

    struct Recorded {
        HttpRequest request;
        int status = 0;
    };
    std::vector<Recorded> recorded() const;
    void forget();
    std::uint64_t servedBytes(const std::string& listener) const; // announced, of bodies

    // What must hold after every test: no token or cookie on a foreign host, and data asked for as it is. The
    // sentences of what does not.
    std::vector<std::string> violations() const;

private:
    bool add(const std::string& name, const std::string& listener, const QHostAddress& address,
             const std::optional<QSslConfiguration>& tls);
    HttpResponse answer(const HttpRequest& request);
    HttpResponse data(const HttpRequest& request) const;
    HttpResponse route(const HttpRequest& request);

    struct Signed { // an address that was given for a large file
        ServedFile file;
        bool isExpired = false;
    };

    mutable std::mutex m_mutex;
    std::vector<ServedRepository> m_repositories;
    std::vector<ServedRepository> m_onModelScope;
    std::vector<Signed> m_signed;
    std::vector<Fault> m_faults;
    std::vector<Recorded> m_recorded;
    std::map<std::string, std::uint64_t> m_served;
    std::map<std::string, std::string> m_urls;
    QEventLoop* m_loop = nullptr;
    std::vector<std::unique_ptr<HttpServer>> m_more; // live on the loop's thread
    std::vector<std::jthread> m_threads;
};

} // namespace wb::test

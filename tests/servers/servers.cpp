// SPDX-License-Identifier: MIT
#include "tests/servers/servers.h"

#include "core/jobs/add_thread.h"
#include "tests/servers/hub_routes.h"

#include <fmt/format.h>

#include <QEventLoop>
#include <QFile>
#include <QSslCertificate>
#include <QSslKey>

#include <algorithm>
#include <future>
#include <memory>

namespace wb::test {
namespace {

const std::vector<std::string>& listeners() {
    static const std::vector<std::string> names = {"HUB", "HUB2", "MS", "CDN", "CDN2", "MSCDN"};
    return names;
}

bool isForeign(const std::string& listener) { return listener.ends_with("CDN") || listener == "CDN2" || listener == "HUB2"; }

} // namespace

Servers::Servers() {
    std::promise<void> ready;
    jobs::addThread(m_threads, [this, &ready] {
        QEventLoop loop;
        std::vector<std::unique_ptr<HttpServer>> servers;
        for (const std::string& name : listeners()) {
            servers.push_back(std::make_unique<HttpServer>(name, [this](const HttpRequest& request) { return answer(request); }));
            m_urls[name] = fmt::format("http://127.0.0.1:{}", servers.back()->serverPort());
        }
        m_loop = &loop;
        ready.set_value();
        loop.exec();
        m_more.clear();
    });
    ready.get_future().wait();
}

Servers::~Servers() {
    QMetaObject::invokeMethod(m_loop, [this] { m_loop->quit(); });
    m_threads.clear();
}

std::string Servers::url(const std::string& listener) const {
    const std::lock_guard lock(m_mutex);
    return m_urls.at(listener);
}

bool Servers::add(const std::string& name, const std::string& listener, const QHostAddress& address,
                  const std::optional<QSslConfiguration>& tls) {
    std::promise<quint16> listening;
    QMetaObject::invokeMethod(m_loop, [&] {
        m_more.push_back(
            std::make_unique<HttpServer>(listener, [this](const HttpRequest& request) { return answer(request); }, address, tls));
        listening.set_value(m_more.back()->serverPort());
    });
    const quint16 port = listening.get_future().get();
    const bool isNumber6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    const std::string host = address.toString().toStdString();
    const std::lock_guard lock(m_mutex);
    m_urls[name] = fmt::format("{}://{}:{}", tls ? "https" : "http", isNumber6 ? "[" + host + "]" : host, port);
    return port != 0;
}

bool Servers::addListener(const std::string& name, const std::string& listener, const std::string& address) {
    return add(name, listener, QHostAddress(QString::fromStdString(address)), std::nullopt);
}

bool Servers::addTls(const std::string& name, const std::string& listener, const std::string& certificate,
                     QSsl::SslProtocol protocol) {
    const QString stem = QStringLiteral(WB_TEST_DATA "/tls/") + QString::fromStdString(certificate);
    QFile key(stem + QStringLiteral(".key"));
    if (!key.open(QIODevice::ReadOnly)) return false;
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificateChain(QSslCertificate::fromPath(stem + QStringLiteral(".pem")));
    tls.setPrivateKey(QSslKey(&key, QSsl::Rsa));
    tls.setProtocol(protocol);
    return add(name, listener, QHostAddress(QHostAddress::LocalHost), tls);
}

void Servers::add(ServedRepository repository) {
    const std::lock_guard lock(m_mutex);
    m_repositories.push_back(std::move(repository));
}

void Servers::addToModelScope(ServedRepository repository) {
    const std::lock_guard lock(m_mutex);
    m_onModelScope.push_back(std::move(repository));
}

void Servers::change(const std::string& id, const std::function<void(ServedRepository&)>& how) {
    const std::lock_guard lock(m_mutex);
    for (auto* list : {&m_repositories, &m_onModelScope})
        for (ServedRepository& repository : *list)
            if (repository.id == id) how(repository);
}

void Servers::fault(Fault fault) {
    const std::lock_guard lock(m_mutex);
    m_faults.push_back(std::move(fault));
}

void Servers::clearFaults() {
    const std::lock_guard lock(m_mutex);
    m_faults.clear();
}

void Servers::expireAddresses() {
    const std::lock_guard lock(m_mutex);
    for (Signed& each : m_signed) each.isExpired = true;
}

std::vector<Servers::Recorded> Servers::recorded() const {
    const std::lock_guard lock(m_mutex);
    return m_recorded;
}

void Servers::forget() {
    const std::lock_guard lock(m_mutex);
    m_recorded.clear();
    m_served.clear();
}

std::uint64_t Servers::servedBytes(const std::string& listener) const {
    const std::lock_guard lock(m_mutex);
    const auto at = m_served.find(listener);
    return at == m_served.end() ? 0 : at->second;
}

std::vector<std::string> Servers::violations() const {
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> found;
    for (const Recorded& each : m_recorded) {
        const HttpRequest& request = each.request;
        if (isForeign(request.listener))
            for (const char* secret : {"Authorization", "Cookie"})
                if (request.headers.find(secret)) found.push_back(std::string(secret) + " was sent to " + request.listener);
        const std::string* encoding = request.headers.find("Accept-Encoding");
        if (!encoding || *encoding != "identity")
            found.push_back("another encoding than identity was asked for at " + request.target);
    }
    return found;
}

// On the thread of the servers.
HttpResponse Servers::answer(const HttpRequest& request) {
    const std::lock_guard lock(m_mutex);
    HttpResponse response = route(request);
    for (Fault& fault : m_faults) {
        const bool isMeant = fault.listener == request.listener && request.target.find(fault.part) != std::string::npos &&
                             (!fault.onlyRanged || request.headers.find("Range"));
        if (!isMeant || fault.times == 0) continue;
        if (fault.skip > 0) {
            --fault.skip;
            continue;
        }
        --fault.times;
        fault.change(request, response);
        break;
    }
    m_recorded.push_back({request, response.status});
    const std::uint64_t bytes = response.formula ? response.formula->end - response.formula->begin : response.text.size();
    if (request.method != "HEAD") m_served[request.listener] += std::min(bytes, response.closeAt.value_or(bytes));
    return response;
}

HttpResponse Servers::route(const HttpRequest& request) {
    if (request.listener.ends_with("CDN") || request.listener == "CDN2") return data(request);
    HubContext hub;
    hub.self = m_urls.at(request.listener);
    hub.token = token;
    const bool isModelScope = request.listener == "MS";
    hub.repositories = isModelScope ? &m_onModelScope : &m_repositories;
    hub.sign = [this, isModelScope](const ServedFile& file) {
        m_signed.push_back({file, false});
        return fmt::format("{}/blob/{}?Expires=1790000000&{}=secret{}&Key-Pair-Id=K", m_urls.at(isModelScope ? "MSCDN" : "CDN"),
                           m_signed.size() - 1, isModelScope ? "auth_key" : "Signature", m_signed.size());
    };
    return isModelScope ? modelScopeAnswer(hub, request) : huggingFaceAnswer(hub, request);
}

HttpResponse Servers::data(const HttpRequest& request) const {
    constexpr std::string_view prefix = "/blob/";
    const std::size_t number =
        request.target.starts_with(prefix) ? std::stoul(request.target.substr(prefix.size())) : m_signed.size();
    if (number >= m_signed.size() || m_signed[number].isExpired)
        return {403, {{"Content-Type", "application/xml"}}, "<Error><Code>AccessDenied</Code></Error>"};
    return fileAnswer(m_signed[number].file, request);
}

} // namespace wb::test

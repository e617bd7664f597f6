// SPDX-License-Identifier: MIT
#include "app/cli/hub/network.h"

#ifdef WEIGHBRIDGE_HAS_QT
#include "app/net/qt_transport.h"

#include <QCoreApplication>
#endif

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace wb::cli {
#ifdef WEIGHBRIDGE_HAS_QT
namespace {

// One line a wait, with its reason and its end, for the user of a waiting terminal.
void showWait(const Context& context, const net::Clock& clock, const hub::Wait& wait) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait.until - clock.now()).count();
    const std::string line = fmt::format("{} Waiting {} s.", wait.why.message(), seconds);
    log(context, line + (wait.why.detail.empty() ? "" : " | " + wait.why.detail));
}

} // namespace

struct HubSession::Qt {
    int argumentCount = 1;
    char name[3] = "wb";
    char* arguments[2] = {name, nullptr};
    QCoreApplication application{argumentCount, arguments};
};

Result<std::unique_ptr<HubSession>> HubSession::open(const Context& context, const NetworkChoice& choice) {
    WB_TRY_ASSIGN(hub::Settings settings, hub::settingsFrom(hub::environmentOfProcess));
    for (const hub::Hub hub : hub::allHubs) settings.source(hub).consent = choice.sendToken;
    settings.isOffline = settings.isOffline || choice.isOffline;
    std::unique_ptr<HubSession> session(new HubSession);
    session->m_qt = std::make_unique<Qt>();
    WB_TRY_ASSIGN(session->m_transport, makeQtTransport({choice.proxy, choice.certificates}));
    session->m_network = {session->m_transport.get(), &session->m_clock,
                          [&context, clock = &session->m_clock](const hub::Wait& wait) { showWait(context, *clock, wait); },
                          choice.retries};
    session->m_client = std::make_unique<hub::Client>(session->m_network, std::move(settings));
    return session;
}

#else

struct HubSession::Qt {};

Result<std::unique_ptr<HubSession>> HubSession::open(const Context&, const NetworkChoice&) {
    return fail(ErrorCode::Unsupported, Reason("cli.no_network"),
                WB_TEXT("This build has no network support; use a build with Qt."));
}

#endif

HubSession::HubSession() = default;
HubSession::~HubSession() = default;

void addNetworkOptions(CLI::App& command, NetworkChoice& choice) {
    command.add_flag("--offline", choice.isOffline, "Work offline, without any network connection");
    command.add_option("--proxy", choice.proxy, "Proxy, http://host:port or socks5://host:port (default: system proxy)")
        ->type_name("URL")
        ->check(checkNotEmpty);
    command.add_option("--ca", choice.certificates, "Additional trusted certificate authorities (PEM file)")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command.add_flag("--send-token", choice.sendToken, "Also send the access token to an endpoint that is not the official hub");
    command.add_option("--retries", choice.retries, "Number of retries (default: 5)")->type_name("N")->check(CLI::Range(0u, 100u));
}

} // namespace wb::cli

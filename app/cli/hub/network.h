// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"
#include "core/hub/client.h"

namespace wb::cli {

// The options of every command that goes to a hub, as typed.
struct NetworkChoice {
    std::string proxy;
    std::string certificates; // --ca
    bool sendToken = false;
    bool isOffline = false;
    unsigned retries = 5;
};

// Declares them.
void addNetworkOptions(CLI::App& command, NetworkChoice& choice);

// A network and what the environment says about both hubs, for one command. Unsupported in a build without Qt.
class HubSession {
public:
    static Result<std::unique_ptr<HubSession>> open(const Context& context, const NetworkChoice& choice);
    ~HubSession();

    hub::Client& client() { return *m_client; }
    const hub::Network& network() const { return m_network; }
    const hub::Settings& settings() const { return m_client->settings(); }

private:
    HubSession();

    struct Qt; // what QtNetwork needs to exist
    std::unique_ptr<Qt> m_qt;
    std::unique_ptr<net::Transport> m_transport;
    net::Clock m_clock;
    hub::Network m_network;
    std::unique_ptr<hub::Client> m_client;
};

} // namespace wb::cli

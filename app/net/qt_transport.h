// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

#include <filesystem>
#include <string>

namespace wb {

// How this machine reaches the world.
struct NetworkOptions {
    std::string proxy;                  // http://host:port, socks5://host:port, with user:password@; empty: the system's
    std::filesystem::path certificates; // authorities that are trusted beyond the system's, PEM; empty: none
};

// net::Transport over QtNetwork: HTTP/1.1, everything in one worker thread with its own loop. Invalid if the proxy is not an
// address, NotReadable where the certificates are none; a certificate that is not trusted can never be accepted. A QCoreApplication
// must exist; its loop need not run.
Result<std::unique_ptr<net::Transport>> makeQtTransport(const NetworkOptions& options);

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/client.h"

// From the name of a file to where its bytes are (docs/reference/hub.md, "Resolve" and "Bytes").
namespace wb::hub {

struct Resolved {
    net::Url url;
    bool isHub = false;                 // the hub sends the bytes itself, by its own rules of access
    std::optional<std::uint64_t> bytes; // empty: the hub does not specify
    std::string sha256;                 // empty: not said
    std::string gitSha1;
    std::string commit; // empty: not said
};

// Asks with HEAD, and with a GET of one byte if HEAD is not supported. The repository names a commit, so that a file cannot change
// between two requests. Errors as Client's; an address that is not allowed to follow is refused.
Result<Resolved> resolveFile(Client& client, const Repository& repository, const std::string& path, const Progress& progress);

// Whether bytes may come from `to` where `from` reports it: never from a secure address to a plain one, plain ones only on this
// machine, and never from one hub's data to a hub.
bool isAllowedTarget(const Settings& settings, const net::Url& from, const net::Url& to);

} // namespace wb::hub

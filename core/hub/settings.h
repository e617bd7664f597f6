// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/repository.h"
#include "core/net/url.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace wb::hub {

// How one hub is reached. A token goes to the hub itself; to another endpoint (a mirror, a proxy of a company) only with consent,
// because who runs it can read the token.
struct Source {
    Hub hub = Hub::HuggingFace;
    net::Url endpoint;
    std::string token;       // empty: none
    bool isHubItself = true; // the endpoint belongs to the hub, not to a mirror
    bool consent = false;    // the token may go to an endpoint that is not the hub itself

    bool sendsToken() const { return !token.empty() && (isHubItself || consent); }
};

// Environment variables of both hubs (docs/reference/hub.md, "Environment honored", "Hosts,
// variables", "Local stores"), by their own rules clients (huggingface/huggingface_hub: constants.py;
// modelscope/modelscope_hub: config.py).
struct Settings {
    Source huggingFace;
    Source modelScope;
    std::filesystem::path huggingFaceCache; // HF_HUB_CACHE; empty where there is no home
    std::filesystem::path modelScopeCache;
    bool isOffline = false; // HF_HUB_OFFLINE

    const Source& source(Hub hub) const { return hub == Hub::HuggingFace ? huggingFace : modelScope; }
    Source& source(Hub hub) { return hub == Hub::HuggingFace ? huggingFace : modelScope; }
};

// The value of a variable; empty where it is not set.
using Environment = std::function<std::string(const char* variable)>;

// That of this process.
std::string environmentOfProcess(const char* variable);

// Reads the variables and the hubs' own token files. Invalid where an endpoint is not an address that this program goes to: with
// http:// only this machine itself.
Result<Settings> settingsFrom(const Environment& environment);

} // namespace wb::hub

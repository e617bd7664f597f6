// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/hub/models.h"
#include "core/hub/settings.h"
#include "core/model/value.h"
#include "core/net/fetch.h"

#include <functional>
#include <memory>

namespace wb::hub {

// Why nothing happens for a while, and until when.
struct Wait {
    Error why;
    net::Time until;
};

// What every conversation with a hub needs. All of it outlives who gets it.
struct Network {
    net::Transport* transport = nullptr;
    const net::Clock* clock = nullptr;
    std::function<void(const Wait&)> report = {}; // before each wait, on the thread that waits; may be empty
    unsigned retries = 5;                         // of one request after 408, 429, 5xx and lost connections
};

// Both hubs as one list of questions. Every call blocks: it belongs into a job. It waits where the hub reports it (429) or has a
// server error, reports each wait, and ends with Canceled as soon as the progress is stopped. Errors: NotFound, NotReadable,
// Malformed (an answer of another shape), TooLarge, Unsupported (a mirror that declines); each names the hub, its address or the
// repository. One object serves one thread at a time; objects are cheap.
class Client {
public:
    Client(const Network& network, Settings settings);
    ~Client();

    // One page; `next` is SearchPage::next of the page before, or empty.
    Result<SearchPage> search(Hub hub, const SearchRequest& request, const std::string& next, const Progress& progress);

    // The repository at its revision, whose commit every further request should name (Repository::revision).
    Result<ModelInfo> info(const Repository& repository, const Progress& progress);

    // All files, through all pages. Names and sizes that are not taken carry their refusal.
    Result<FileList> files(const Repository& repository, const Progress& progress);

    // A small text file, the card for one (README.md), of at most `maxBytes` bytes; of any encoding.
    Result<std::string> text(const Repository& repository, const std::string& path, std::uint64_t maxBytes,
                             const Progress& progress);

    const Settings& settings() const { return m_settings; }

    // For a browser: the page of the model.
    std::string pageUrl(const Repository& repository) const;

    // Asks and gives the answer whatever its status, if it is not a redirect of the hub to itself and nothing that passes with
    // time. The token goes along where the address is the endpoint's and the source allows it.
    Result<net::Answer> ask(const Source& source, net::Request request, const net::FetchLimits& limits, const Progress& progress);

private:
    Result<net::Answer> askOnce(const Source& source, net::Request request, const net::FetchLimits& limits,
                                const Progress& progress);
    struct Page {
        Value json;
        std::string next; // where the next page is, as Url::target; empty: this is the last
    };
    Result<Page> page(const Source& source, net::Request request, const Repository* about, const Progress& progress);
    Result<void> wait(Error why, net::Duration duration, const Progress& progress);
    Result<FileList> huggingFaceFiles(const Repository& repository, const Progress& progress);
    Result<FileList> modelScopeFiles(const Repository& repository, const Progress& progress);

    Network m_network;
    Settings m_settings;
    std::unique_ptr<net::NetworkSession> m_session;
};

} // namespace wb::hub

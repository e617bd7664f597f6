// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/client.h"
#include "core/hub/token_box.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace wb::ui {

// The wait of a request, between the thread that waits and the window. Thread-safe.
class WaitBoard {
public:
    struct Waiting {
        Error why;
        double seconds = 0; // that are left
    };

    void set(const wb::hub::Wait& wait);
    std::optional<Waiting> at(wb::net::Time now) const; // empty: it waits for nothing now

private:
    mutable std::mutex m_mutex;
    std::optional<wb::hub::Wait> m_wait;
};

// How the hubs are reached and where downloads go. Nothing of it is called before the first question.
struct HubNetwork {
    std::function<Result<wb::hub::Settings>()> settings;    // reads files of tokens: on a worker
    std::function<Result<wb::net::Transport*>()> transport; // on any thread; outlives all that asks through it
    const wb::net::Clock* clock = nullptr;
    std::filesystem::path modelsFolder;    // owner/name beneath it, as wb download has it
    std::filesystem::path cacheFolder;     // for lists and pages that were seen
    wb::hub::TokenStore* tokens = nullptr; // null: given tokens are forgotten with the window
    std::function<int()> minuteOfDay = {}; // of the local day; empty: the system's

    // A network for one conversation, which tells the board what it waits for.
    Result<wb::hub::Network> open(const std::shared_ptr<WaitBoard>& board, unsigned retries) const;
};

} // namespace wb::ui

// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/run_files.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace wb::hub {

// The thread of a download that waits for the disk: flushes the received bytes, and then records them in the journal, so that
// neither the network nor the hash ever waits for it.
class SaveThread {
public:
    // Both outlive it.
    SaveThread(run::RunFiles& files, const run::OutputPlan& plan) : m_files(files), m_plan(plan) {}

    // The body of the thread; returns after stop().
    void work();

    // ---- called by the first thread

    // What to journal: a piece and how many bytes of it are there. False while the former ones are on their way.
    struct Piece {
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
        std::optional<std::uint64_t> check = {}; // of a whole one (run::recordChecksum); empty: it is read back
    };
    bool save(std::vector<Piece> pieces);
    bool isSaving() const;
    void waitUntilSaved();

    // A disk that is full or fails; empty: all is well.
    std::optional<Error> error() const;

    void stop(); // after what is to be saved is

private:
    Result<void> saveNow(const std::vector<Piece>& pieces);
    Result<std::uint64_t> checkBack(const run::Item& item) const;

    run::RunFiles& m_files;
    const run::OutputPlan& m_plan;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Piece> m_toSave;
    bool m_isSaving = false;
    bool m_isStopped = false;
    std::optional<Error> m_error;
};

} // namespace wb::hub

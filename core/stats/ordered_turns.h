// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace wb::stats {

// Lets workers hand in their results one after the other by index, whatever order they finish in, so that sums are always added in
// the same order. Indices must be begun in ascending order; a worker waits for its turn.
class OrderedTurns {
public:
    // Runs `handIn` when all lower indices have had their turn; not at all once given up.
    template <typename HandIn>
    void take(std::uint64_t index, HandIn handIn) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_next == index || m_givenUp; });
        if (m_givenUp) return;
        handIn();
        ++m_next;
        m_wake.notify_all();
    }

    // For a worker that failed: wakes those who wait for it.
    void giveUp() {
        const std::lock_guard lock(m_mutex);
        m_givenUp = true;
        m_wake.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::uint64_t m_next = 0;
    bool m_givenUp = false;
};

} // namespace wb::stats

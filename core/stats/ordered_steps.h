// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace wb::stats {

// Lets the threads of a parallelFor do one step of each index in the order of the indices, whatever order they come in, so that
// sums are always added in the same order.
class OrderedSteps {
public:
    // The step of one index. A turn that ends without its step (an Error, an exception) ends all higher ones without theirs.
    class Turn {
    public:
        Turn(OrderedSteps& steps, std::uint64_t index) : m_steps(steps), m_index(index) {}
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() {
            if (!m_done) m_steps.end(false);
        }

        // Waits until all lower indices have done their steps, then runs `step`; nothing where one of them never will.
        template <typename Step>
        void run(Step step) {
            if (!m_steps.begin(m_index)) return;
            step();
            m_done = true;
            m_steps.end(true);
        }

    private:
        OrderedSteps& m_steps;
        std::uint64_t m_index;
        bool m_done = false;
    };

private:
    bool begin(std::uint64_t index) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_next == index || m_isAbandoned; });
        return !m_isAbandoned;
    }

    void end(bool done) {
        {
            const std::lock_guard lock(m_mutex);
            if (done) ++m_next;
            else m_isAbandoned = true;
        }
        m_wake.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::uint64_t m_next = 0; // whose lower indices have all done their step
    bool m_isAbandoned = false;
};

} // namespace wb::stats

// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

namespace wb::net {

// The least speed of an answer, as curl's --speed-time and --speed-limit: of each window of 20 s in which bytes are due, at least
// 2,000 bytes must come. 100 bytes per second are below every honest line, a 2G modem included; a server that sends a byte now and
// then for ever is not. A stall (no byte at all) has its own rule.
class SpeedFloor {
public:
    struct Rule {
        Duration window = std::chrono::seconds(20);
        std::uint64_t bytes = 2000; // 0: any speed will do
    };

    explicit SpeedFloor(Rule rule) : m_rule(rule) {}
    SpeedFloor() : SpeedFloor(Rule()) {}

    // Bytes are due from now on; nothing where they were already.
    void start(Time now) {
        if (!m_isDue) m_isDue = true, m_end = now + m_rule.window, m_bytes = 0;
    }
    void stop() { m_isDue = false; } // none are due
    void add(std::uint64_t bytes) { m_bytes += bytes; }

    // The caller did not read for this time.
    void extendDeadlines(Duration time) { m_end += time; }

    // Whether a window has ended with too few bytes. The next window starts with each that ends.
    bool isBelow(Time now) {
        if (!m_isDue || now < m_end || m_rule.bytes == 0) return false;
        const bool isSlow = m_bytes < m_rule.bytes;
        m_end = now + m_rule.window;
        m_bytes = 0;
        return isSlow;
    }

    std::optional<Time> windowEnd() const { return m_isDue ? std::optional(m_end) : std::nullopt; }

private:
    Rule m_rule;
    bool m_isDue = false;
    Time m_end{}; // of the window
    std::uint64_t m_bytes = 0;
};

} // namespace wb::net

// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/failure.h"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace wb::text::jinja {

// What one rendering may cost (docs/reference/command_line.md, "template"). A template is a program of a stranger: every operation
// pays for the bytes and elements it touches, which bounds time and, as every byte that is kept was paid for, memory too.
struct Bounds {
    std::uint64_t steps = 300'000'000;  // bytes and elements touched
    std::uint64_t output = 16ull << 20; // bytes of text
    std::chrono::milliseconds time{2000};
    std::uint64_t range = 100'000; // values of range()
    unsigned depth = 200;          // of expressions, blocks, macros and values
    std::stop_token stop;
};

// Counts the cost of one rendering and ends it by a Failure where a bound is reached.
class Meter {
public:
    explicit Meter(const Bounds& bounds) : m_bounds(bounds), m_deadline(std::chrono::steady_clock::now() + bounds.time) {}

    const Bounds& bounds() const { return m_bounds; }
    bool wasStopped() const { return m_wasStopped; }

    void pay(std::uint64_t steps = 1) {
        m_steps += steps;
        if (m_steps > m_bounds.steps) failTemplate("the template takes too many steps");
        m_sinceLook += steps;
        if (m_sinceLook > 100'000) look();
    }

    // Held while something nests: a block, a macro, an expression, a value that is walked.
    class Level {
    public:
        explicit Level(Meter& meter) : m_meter(meter) {
            if (++m_meter.m_depth > m_meter.m_bounds.depth * levelsPerDepth) {
                --m_meter.m_depth;
                failTemplate("the template or its values are nested too deeply");
            }
        }
        ~Level() { --m_meter.m_depth; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Meter& m_meter;
    };

private:
    static constexpr unsigned levelsPerDepth = 4; // one depth of a template is a block, a statement and a few expressions

    void look() {
        m_sinceLook = 0;
        if (m_bounds.stop.stop_requested()) {
            m_wasStopped = true;
            failTemplate("cancelled");
        }
        if (std::chrono::steady_clock::now() > m_deadline) failTemplate("the template takes too long");
    }

    Bounds m_bounds;
    std::chrono::steady_clock::time_point m_deadline;
    std::uint64_t m_steps = 0;
    std::uint64_t m_sinceLook = 0;
    unsigned m_depth = 0;
    bool m_wasStopped = false;
};

} // namespace wb::text::jinja

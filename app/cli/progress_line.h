// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/base/share.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace wb::cli {

// "quantize: 1.50 GiB of 3.00 GiB, 100 MiB/s, 15 s left", where `doneBefore` bytes were there when the `seconds` began.
std::string progressText(const std::string& what, std::uint64_t doneBefore, std::uint64_t done, std::uint64_t total,
                         double seconds);

// One line on stderr that is rewritten while something long runs: done of total, speed, time left. Silent unless stderr is a
// terminal. Thread-safe.
class ProgressLine {
public:
    ProgressLine(std::string what, bool wanted);
    static bool isTerminal(); // stderr: a person reads it
    ~ProgressLine();          // clears the line

    // Work that the first call reports as done was done before: it counts for the share, not for the speed.
    void set(std::uint64_t doneBytes, std::uint64_t totalBytes);

private:
    std::string m_what;
    bool m_visible;
    std::mutex m_mutex;
    std::optional<std::uint64_t> m_doneBefore;
    std::chrono::steady_clock::time_point m_begin;
    std::chrono::steady_clock::time_point m_shown{};
};

} // namespace wb::cli

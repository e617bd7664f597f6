// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace wb::cli {

// One line on stderr that is rewritten while something long runs: done of total, speed, time left. Silent unless stderr is a
// terminal. Thread-safe.
class ProgressLine {
public:
    ProgressLine(std::string what, bool wanted);
    ~ProgressLine(); // clears the line

    void set(std::uint64_t doneBytes, std::uint64_t totalBytes);

private:
    std::string m_what;
    bool m_visible;
    std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_shown{};
};

} // namespace wb::cli

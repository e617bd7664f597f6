// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace wb::ui::convert {

// The output of a program, written by the thread that runs it and taken by the window. Of text that is not taken in time the oldest
// is dropped. Thread-safe.
class ProcessLog {
public:
    void append(std::string_view text) {
        constexpr std::size_t maxWaiting = 1 << 20;
        const std::lock_guard lock(m_mutex);
        m_text += text;
        if (m_text.size() > maxWaiting) m_text.erase(0, m_text.size() - maxWaiting);
    }

    std::string take() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_text, {});
    }

private:
    std::mutex m_mutex;
    std::string m_text;
};

} // namespace wb::ui::convert

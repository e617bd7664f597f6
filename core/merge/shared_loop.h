// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace wb::merge {

// A loop whose result many threads need before they can continue. Every thread that asks for it takes indices until none is left,
// so the loop has as many threads as wait for it, and one thread alone finishes it. Thread-safe.
class SharedLoop {
public:
    // Takes part in the loop, then blocks until all indices are done and `finish` has run, once, on one of the threads. All callers
    // pass the same work. The first error (by index) is returned to all, then and later. An index is short (milliseconds).
    Result<void> join(std::uint64_t count, const std::function<Result<void>(std::uint64_t index)>& body,
                      const std::function<void()>& finish);

private:
    void fail(std::uint64_t index, Error error);

    std::mutex m_mutex;
    std::condition_variable m_finished;
    std::uint64_t m_next = 0;
    std::uint64_t m_running = 0;
    bool m_isFinished = false;
    std::optional<Error> m_error;
    std::uint64_t m_errorIndex = 0;
};

} // namespace wb::merge

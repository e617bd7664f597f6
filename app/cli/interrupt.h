// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

namespace wb::cli {

// From now on the first Ctrl+C requests a stop on the returned token instead of ending the process, so that nothing is left
// half-written; the second one ends it at once with status 130. Call once, before any thread is started.
std::stop_token stopOnInterrupt();

// From now on Ctrl+C ends the process at once with status 130, unless a StopScope is alive: for a command that waits for its user
// and has nothing half-written then.
void endOnInterrupt();

// While it lives, Ctrl+C requests a stop on its source. A second one ends the process at once; after endOnInterrupt() it does
// nothing, so that a conversation outlives an impatient stop of a response. One at a time.
class StopScope {
public:
    StopScope();
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

    const std::stop_source& source() const { return m_source; }

private:
    std::stop_source m_source;
};

} // namespace wb::cli

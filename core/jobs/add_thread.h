// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace wb::jobs {

// Whether the system gave one more thread; without it the work continues with fewer.
bool addThread(std::vector<std::jthread>& threads, auto work) {
    try {
        threads.emplace_back(std::move(work));
        return true;
    } catch (const std::system_error&) {
        return false;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// A thread that lives as long as the process and waits for the system, for signals say; it does no work itself.
void startProcessThread(auto wait) { std::thread(std::move(wait)).detach(); }

} // namespace wb::jobs

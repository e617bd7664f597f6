// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace wb::jobs {

// Requests a stop on a source that the mutex guards, after it is released: a callback of the stop may take it.
inline void requestStop(std::mutex& mutex, const std::stop_source& guarded) {
    std::stop_source source{std::nostopstate};
    {
        const std::lock_guard lock(mutex);
        source = guarded;
    }
    source.request_stop();
}

// Waits until `holds()` is true, a stop is requested or it is `until`, and returns the last answer of `holds()`, which is only
// called with the lock held. The lock is held before and after; what it guards may change meanwhile, as in every wait. Whoever
// requests the stop must not hold the mutex.
//
// mingw's library (GCC 12) sometimes never returns from the destructor of a std::stop_callback whose function another thread runs
// just then, in a wait of std::condition_variable_any for a stop too: its waits look for the stop instead. No other file of the
// program may have either (tests/arrows/arrows.txt).
template <class Condition>
bool waitUnlessStopped(std::condition_variable& wake, std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                       std::chrono::steady_clock::time_point until, const Condition& holds) {
    using Clock = std::chrono::steady_clock;
    while (!holds() && !stop.stop_requested() && Clock::now() < until) {
#ifdef __MINGW32__
        wake.wait_until(lock, std::min(until, Clock::now() + std::chrono::milliseconds(20)));
#else
        lock.unlock(); // the callback takes it, at once where a stop has been requested
        {
            const std::stop_callback wakeUp(stop, [&wake, mutex = lock.mutex()] {
                {
                    const std::lock_guard afterTheCheck(*mutex);
                }
                wake.notify_all();
            });
            lock.lock();
            // An hour at a time: the farthest times leave the range of the system's clock.
            wake.wait_until(lock, std::min(until, Clock::now() + std::chrono::hours(1)),
                            [&] { return holds() || stop.stop_requested(); });
            lock.unlock(); // its destructor waits for a callback that is running
        }
        lock.lock();
#endif
    }
    return holds();
}

// As long as it takes.
template <class Condition>
bool waitUnlessStopped(std::condition_variable& wake, std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                       const Condition& holds) {
    return waitUnlessStopped(wake, lock, stop, std::chrono::steady_clock::time_point::max(), holds);
}

} // namespace wb::jobs

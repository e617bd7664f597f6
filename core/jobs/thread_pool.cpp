// SPDX-License-Identifier: MIT
#include "core/jobs/thread_pool.h"

#include "core/jobs/add_thread.h"
#include "core/jobs/pause_gate.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <condition_variable>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace wb::jobs {
namespace {

constexpr unsigned maxWidth = 256;

// State shared by the threads of one parallelFor.
struct Loop {
    const std::uint64_t count;
    const unsigned width;
    const std::stop_token& stop;
    const SlotLoopBody& body;

    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::atomic<bool> isCrowded{false};    // another loop has fewer helpers
    std::atomic<PauseGate*> gate{nullptr}; // where a paused loop waits

    std::mutex errorMutex{};
    std::uint64_t errorIndex = 0; // of the failure kept in `error`; both guarded by errorMutex
    Error error{};

    // Guarded by the pool's mutex. Slot 0 is the caller's.
    unsigned helpers = 0;
    std::bitset<maxWidth> takenSlots{1};

    bool hasWork() const { return !failed && !stop.stop_requested() && next < count; }
    bool wantsHelper() const { return helpers + 1 < width && !gate.load() && hasWork(); }

    void help(unsigned slot) {
        while (hasWork() && !gate.load() && !isCrowded) runNext(slot);
    }

    void runNext(unsigned slot);
    Result<void> call(std::uint64_t index, unsigned slot) const;
    void keep(std::uint64_t index, Error found);
};

thread_local Loop* runningLoop = nullptr; // the innermost whose body this thread runs
thread_local bool isHelper = false;

void Loop::runNext(unsigned slot) {
    const std::uint64_t index = next++;
    if (index >= count) return;
    Loop* const outer = std::exchange(runningLoop, this);
    auto result = call(index, slot);
    runningLoop = outer;
    if (!result) keep(index, std::move(result).error());
}

// An exception would end the program where it leaves a thread.
Result<void> Loop::call(std::uint64_t index, unsigned slot) const {
    try {
        return body(index, slot);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

void Loop::keep(std::uint64_t index, Error found) {
    const std::lock_guard lock(errorMutex);
    if (failed && index > errorIndex) return;
    failed = true;
    errorIndex = index;
    error = std::move(found);
}

// The helpers of all loops of the process: made when loops first want them, kept until the process ends.
class LoopPool {
public:
    void open(Loop& loop);
    void close(Loop& loop); // waits until its helpers have left
    void wake();            // after a change that lets a loop want helpers again

private:
    void addWorkers();
    void work();
    Loop* neediest() const;
    unsigned enter(Loop& loop);
    void leave(Loop& loop, unsigned slot);
    void balance();

    std::mutex m_mutex;
    std::condition_variable m_wake; // for helpers
    std::condition_variable m_left; // for callers
    std::vector<Loop*> m_loops;
    std::vector<std::jthread> m_workers;
};

void LoopPool::open(Loop& loop) {
    {
        const std::lock_guard lock(m_mutex);
        m_loops.push_back(&loop);
        addWorkers();
        balance();
    }
    m_wake.notify_all();
}

// Several loops share the machine's threads; one that asks for more than those gets them.
void LoopPool::addWorkers() {
    std::size_t wanted = 0, most = machineThreads() - 1;
    for (const Loop* loop : m_loops) {
        wanted += loop->width - 1;
        most = std::max<std::size_t>(most, loop->width - 1);
    }
    while (m_workers.size() < std::min(wanted, most) && addThread(m_workers, [this] { work(); })) {
    }
}

void LoopPool::close(Loop& loop) {
    std::unique_lock lock(m_mutex);
    std::erase(m_loops, &loop);
    balance();
    m_left.wait(lock, [&] { return loop.helpers == 0; });
}

void LoopPool::wake() {
    {
        const std::lock_guard lock(m_mutex);
    } // who has just found nothing to do is waiting now
    m_wake.notify_all();
}

void LoopPool::work() {
    isHelper = true;
    std::unique_lock lock(m_mutex);
    while (true) {
        // Asked for once: the last index of a loop can be taken at any time, so a second answer could be null.
        Loop* loop = nullptr;
        m_wake.wait(lock, [&] { return (loop = neediest()) != nullptr; });
        const unsigned slot = enter(*loop);
        lock.unlock();
        loop->help(slot);
        lock.lock();
        leave(*loop, slot);
    }
}

// The loop that wants a helper and has the fewest; the oldest of equals. Null: none wants one.
Loop* LoopPool::neediest() const {
    Loop* best = nullptr;
    for (Loop* loop : m_loops)
        if (loop->wantsHelper() && (!best || loop->helpers < best->helpers)) best = loop;
    return best;
}

unsigned LoopPool::enter(Loop& loop) {
    unsigned slot = 1;
    while (loop.takenSlots[slot]) ++slot;
    loop.takenSlots.set(slot);
    ++loop.helpers;
    balance();
    return slot;
}

void LoopPool::leave(Loop& loop, unsigned slot) {
    loop.takenSlots.reset(slot);
    --loop.helpers;
    balance();
    if (loop.helpers == 0) m_left.notify_all();
}

// A helper leaves its loop for one that then still has no more helpers than the loop it left.
void LoopPool::balance() {
    const Loop* poorest = neediest();
    for (Loop* loop : m_loops) loop->isCrowded = poorest && poorest->helpers + 1 < loop->helpers;
}

// Never destroyed: its threads sleep when the process ends. A forked child has none of them and starts with its own pool.
LoopPool& pool() {
    static LoopPool* current = new LoopPool;
#ifndef _WIN32
    static const int registered = pthread_atfork(nullptr, nullptr, [] { current = new LoopPool; });
    static_cast<void>(registered);
#endif
    return *current;
}

// A helper that calls its own loop does not wait at a gate: the loop that it helps does, as soon as this index has ended.
void passGate(Loop& loop) {
    PauseGate* const gate = loop.gate.exchange(nullptr);
    if (!gate) return;
    if (isHelper) static_cast<void>(pauseLoopAt(*gate));
    else gate->waitUntilOpen(loop.stop);
    if (loop.width > 1) pool().wake();
}

void runAsCaller(Loop& loop) {
    while (loop.hasWork()) {
        loop.runNext(0);
        passGate(loop);
    }
}

} // namespace

unsigned machineThreads() { return std::clamp(std::thread::hardware_concurrency(), 1u, maxWidth); }

unsigned loopWidth(std::uint64_t count, unsigned threads) {
    const unsigned wanted = threads != 0 ? std::min(threads, maxWidth) : machineThreads();
    return static_cast<unsigned>(std::clamp<std::uint64_t>(count, 1, wanted));
}

Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop, const LoopBody& body) {
    return parallelFor(count, threads, stop, SlotLoopBody([&body](std::uint64_t index, unsigned) { return body(index); }));
}

Result<void> parallelFor(std::uint64_t count, unsigned threads, const std::stop_token& stop, const SlotLoopBody& body) {
    Loop loop{count, loopWidth(count, threads), stop, body};
    if (loop.width > 1) pool().open(loop);
    runAsCaller(loop);
    if (loop.width > 1) pool().close(loop);
    if (loop.failed) return std::unexpected(std::move(loop.error));
    if (stop.stop_requested()) return std::unexpected(canceled());
    return {};
}

bool pauseLoopAt(PauseGate& gate) {
    if (!runningLoop) return false;
    runningLoop->gate = &gate;
    return true;
}

} // namespace wb::jobs

// SPDX-License-Identifier: MIT
#include "core/jobs/team.h"

#include <system_error>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace wb::jobs {
namespace {

constexpr int spins = 2000; // with a pause each: some 20 to 80 µs

void relax() {
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

Result<std::unique_ptr<Team>> Team::make(unsigned threads) {
    std::unique_ptr<Team> team(new Team(threads > 0 ? threads : 1));
    team->m_workers.reserve(team->m_size - 1);
    try {
        for (unsigned i = 1; i < team->m_size; ++i) team->m_workers.emplace_back([t = team.get(), i] { t->work(i); });
    } catch (const std::system_error&) {
        // Those that started wait for workers that never come: let them pass.
        team->m_arrived += team->m_size - 1 - static_cast<unsigned>(team->m_workers.size());
        return fail(ErrorCode::TooLarge, Reason("infer.threads"), WB_TEXT("The system cannot start {} threads; use fewer."),
                    threads);
    }
    return team;
}

Team::~Team() {
    m_body = nullptr;
    barrier();
    for (std::thread& worker : m_workers) worker.join();
}

void Team::run(const std::function<void(unsigned)>& body) {
    m_body = &body;
    barrier();
    body(0);
    barrier();
}

void Team::work(unsigned index) {
    while (true) {
        barrier();
        if (m_body == nullptr) return;
        (*m_body)(index);
        barrier();
    }
}

void Team::barrier() {
    const std::uint64_t epoch = m_epoch.load();
    if (m_arrived.fetch_add(1) + 1 < m_size) return waitBeyond(epoch);
    m_arrived.store(0);
    m_epoch.fetch_add(1);
    if (m_sleepers.load() == 0) return;
    const std::scoped_lock lock(m_mutex); // a worker between its last look and its sleep contains it
    m_wake.notify_all();
}

void Team::waitBeyond(std::uint64_t epoch) {
    for (int i = 0; i < spins; ++i) {
        if (m_epoch.load(std::memory_order_acquire) != epoch) return;
        relax();
    }
    std::unique_lock lock(m_mutex);
    ++m_sleepers;
    m_wake.wait(lock, [&] { return m_epoch.load() != epoch; });
    --m_sleepers;
}

} // namespace wb::jobs

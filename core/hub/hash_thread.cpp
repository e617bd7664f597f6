// SPDX-License-Identifier: MIT
#include "core/hub/hash_thread.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr std::uint64_t slabBytes = 1u << 20; // stays in the CPU's cache between reading and hashing
constexpr std::uint64_t wakeBytes = 4u << 20; // fewer are not worth waking anybody
constexpr std::uint64_t offeredBytes = 16u << 20;

} // namespace

HashThread::HashThread(const run::RunFiles& files, const RemoteFile& file)
    : m_files(files), m_file(file), m_hash(std::make_unique<ContentHash>(file)) {}

void HashThread::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isStopped || (!m_error && m_hashed < m_prefix); });
        if (m_isStopped) return;
        const std::uint64_t begin = m_hashed;
        auto offered = takeOffered();
        std::uint64_t end = std::min(m_prefix, begin + slabBytes);
        if (!m_offered.empty()) end = std::min(end, m_offered.begin()->first);
        m_isBusy = true;
        lock.unlock();
        Result<std::uint64_t> done = end;
        if (!offered) {
            done = hashOn(begin, end);
        } else {
            m_hash->update(std::span(offered->second).subspan(static_cast<std::size_t>(begin - offered->first)));
            done = offered->first + offered->second.size();
            offered.reset(); // its memory goes before the lock is taken
        }
        lock.lock();
        m_isBusy = false;
        if (done) m_hashed = *done;
        else m_error = done.error();
        m_prefix = std::max(m_prefix, m_hashed); // what is offered is there
        if (m_error || m_hashed == m_prefix || m_isRestarting) m_changed.notify_all();
    }
}

// The bytes whose turn it is; those whose turn is over go.
std::optional<std::pair<std::uint64_t, net::Body>> HashThread::takeOffered() {
    while (!m_offered.empty() && m_offered.begin()->first <= m_hashed) {
        auto first = m_offered.extract(m_offered.begin());
        m_offeredBytes -= first.mapped().size();
        if (first.key() + first.mapped().size() > m_hashed) return std::pair(first.key(), std::move(first.mapped()));
    }
    return std::nullopt;
}

void HashThread::offer(std::uint64_t offset, net::Body bytes) {
    std::vector<net::Body> dropped; // freed without the lock
    const std::lock_guard lock(m_mutex);
    if (bytes.empty() || offset + bytes.size() <= m_hashed) return;
    const std::uint64_t count = bytes.size();
    const auto [place, isNew] = m_offered.try_emplace(offset, std::move(bytes));
    if (isNew) m_offeredBytes += count;
    while (m_offeredBytes > offeredBytes) {
        auto last = m_offered.extract(std::prev(m_offered.end()));
        m_offeredBytes -= last.mapped().size();
        dropped.push_back(std::move(last.mapped()));
    }
}

// Reads back and gives the end.
Result<std::uint64_t> HashThread::hashOn(std::uint64_t begin, std::uint64_t end) {
    if (!m_source) {
        WB_TRY_ASSIGN(m_source, io::FileSource::open(m_files.workPath(0)));
    }
    m_slab.resize(slabBytes);
    const auto bytes = std::span(m_slab).first(static_cast<std::size_t>(end - begin));
    WB_TRY(m_source->readAt(begin, bytes));
    m_hash->update(bytes);
    return end;
}

void HashThread::setPrefix(std::uint64_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        if (bytes < m_prefix + wakeBytes && bytes < m_file.bytes) return;
        m_prefix = std::max(m_prefix, bytes);
    }
    m_changed.notify_all();
}

std::optional<Error> HashThread::error() const {
    const std::lock_guard lock(m_mutex);
    return m_error;
}

Result<std::string> HashThread::finish(std::uint64_t bytes, const std::function<Result<void>()>& isWanted) {
    constexpr auto nowAndThen = std::chrono::milliseconds(100);
    setPrefix(bytes);
    std::unique_lock lock(m_mutex);
    while (!m_error && m_hashed < bytes) {
        m_changed.wait_for(lock, nowAndThen);
        lock.unlock();
        WB_TRY(isWanted());
        lock.lock();
    }
    if (m_error) return std::unexpected(*m_error);
    return m_hash->finish();
}

void HashThread::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_isStopped = true;
    }
    m_changed.notify_all();
}

void HashThread::restart() {
    std::unique_lock lock(m_mutex);
    m_isRestarting = true;
    m_changed.wait(lock, [this] { return !m_isBusy; });
    m_isRestarting = false;
    m_hash = std::make_unique<ContentHash>(m_file);
    m_source.reset();
    m_offered.clear();
    m_offeredBytes = 0;
    m_prefix = m_hashed = 0;
}

} // namespace wb::hub

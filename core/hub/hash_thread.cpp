// SPDX-License-Identifier: MIT
#include "core/hub/hash_thread.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr std::uint64_t slabBytes = 1u << 20; // stays in the processor's cache between reading and hashing
constexpr std::uint64_t wakeBytes = 4u << 20; // fewer are not worth waking anybody

} // namespace

HashThread::HashThread(const run::RunFiles& files, const RemoteFile& file)
    : m_files(files), m_file(file), m_hash(std::make_unique<ContentHash>(file)) {}

void HashThread::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isStopped || (!m_error && m_hashed < m_prefix); });
        if (m_isStopped) return;
        const std::uint64_t begin = m_hashed, end = std::min(m_prefix, begin + slabBytes);
        lock.unlock();
        const Result<void> done = hashOn(begin, end);
        lock.lock();
        if (done) m_hashed = end;
        else m_error = done.error();
        if (m_error || m_hashed == m_prefix) m_changed.notify_all();
    }
}

Result<void> HashThread::hashOn(std::uint64_t begin, std::uint64_t end) {
    if (!m_source) {
        WB_TRY_ASSIGN(m_source, io::FileSource::open(m_files.workPath(0)));
    }
    m_slab.resize(slabBytes);
    const auto bytes = std::span(m_slab).first(static_cast<std::size_t>(end - begin));
    WB_TRY(m_source->readAt(begin, bytes));
    m_hash->update(bytes);
    return {};
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
    const std::lock_guard lock(m_mutex);
    m_hash = std::make_unique<ContentHash>(m_file);
    m_source.reset();
    m_prefix = m_hashed = 0;
}

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#include "core/hub/hash_thread.h"

#include <algorithm>
#include <utility>

namespace wb::hub {
namespace {

constexpr std::uint64_t slabBytes = 4u << 20;

} // namespace

HashThread::HashThread(run::RunFiles& files, const run::OutputPlan& plan, const RemoteFile& file)
    : m_files(files), m_plan(plan), m_file(file), m_hash(std::make_unique<ContentHash>(file)) {}

// ---- the second thread

void HashThread::work() {
    while (true) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isStopped || !m_toSave.empty() || (!m_error && m_hashed < m_prefix); });
        if (m_isStopped && m_toSave.empty()) return;
        const std::uint64_t begin = m_hashed, end = std::min(m_prefix, begin + slabBytes);
        lock.unlock();
        Result<void> done;
        if (const auto pieces = nextSave()) done = saveNow(*pieces);
        else done = hashOn(begin, end);
        lock.lock();
        m_isSaving = false;
        if (!done && !m_error) m_error = done.error();
        lock.unlock();
        m_changed.notify_all();
    }
}

std::optional<std::vector<HashThread::Piece>> HashThread::nextSave() {
    const std::lock_guard lock(m_mutex);
    if (m_toSave.empty()) return std::nullopt;
    m_isSaving = true;
    return std::exchange(m_toSave, {});
}

Result<void> HashThread::saveNow(const std::vector<Piece>& pieces) {
    WB_TRY(m_files.flush());
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(m_files.workPath(0)));
    std::vector<run::Journal::Entry> entries;
    std::vector<std::byte> bytes;
    for (const Piece& piece : pieces) {
        const run::Item& item = m_plan.items[piece.index];
        run::Record record;
        if (piece.bytes < item.bytes) {
            record.text = std::to_string(piece.bytes);
        } else {
            bytes.resize(item.bytes);
            WB_TRY(source->readAt(item.offset, bytes));
            record.check = run::checkOf(bytes);
        }
        entries.emplace_back(piece.index, std::move(record));
    }
    return m_files.journal().append(entries);
}

Result<void> HashThread::hashOn(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return {};
    if (!m_source) {
        WB_TRY_ASSIGN(m_source, io::FileSource::open(m_files.workPath(0)));
    }
    m_slab.resize(slabBytes);
    const auto bytes = std::span(m_slab).first(static_cast<std::size_t>(end - begin));
    WB_TRY(m_source->readAt(begin, bytes));
    m_hash->update(bytes);
    const std::lock_guard lock(m_mutex);
    m_hashed = end;
    return {};
}

// ---- the first thread

void HashThread::setPrefix(std::uint64_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        if (bytes < m_prefix + slabBytes && bytes < m_file.bytes) return; // not worth waking anybody
        m_prefix = std::max(m_prefix, bytes);
    }
    m_changed.notify_all();
}

bool HashThread::save(std::vector<Piece> pieces) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_isSaving || !m_toSave.empty()) return false;
        m_toSave = std::move(pieces);
    }
    m_changed.notify_all();
    return true;
}

bool HashThread::isSaving() const {
    const std::lock_guard lock(m_mutex);
    return m_isSaving || !m_toSave.empty();
}

void HashThread::waitUntilSaved() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_isSaving && m_toSave.empty(); });
}

std::optional<Error> HashThread::error() const {
    const std::lock_guard lock(m_mutex);
    return m_error;
}

Result<std::string> HashThread::finish(std::uint64_t bytes, const std::function<Result<void>(std::uint64_t hashed)>& isWanted) {
    constexpr auto nowAndThen = std::chrono::milliseconds(100);
    setPrefix(bytes);
    std::unique_lock lock(m_mutex);
    while (!m_error && (m_hashed < bytes || m_isSaving || !m_toSave.empty())) {
        m_changed.wait_for(lock, nowAndThen);
        const std::uint64_t hashed = m_hashed;
        lock.unlock();
        WB_TRY(isWanted(hashed));
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

// SPDX-License-Identifier: MIT
#include "core/hub/save_thread.h"

#include "core/io/byte_source.h"

#include <algorithm>
#include <utility>

namespace wb::hub {

void SaveThread::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isStopped || !m_toSave.empty(); });
        if (m_toSave.empty()) return;
        m_isSaving = true;
        const std::vector<Piece> pieces = std::exchange(m_toSave, {});
        lock.unlock();
        const Result<void> saved = saveNow(pieces);
        lock.lock();
        m_isSaving = false;
        if (!saved && !m_error) m_error = saved.error();
        m_changed.notify_all();
    }
}

Result<void> SaveThread::saveNow(const std::vector<Piece>& pieces) {
    WB_TRY(m_files.flush());
    std::vector<run::Journal::Entry> entries;
    for (const Piece& piece : pieces) {
        run::Record record;
        if (piece.bytes < m_plan.items[piece.index].bytes) {
            record.text = std::to_string(piece.bytes);
        } else {
            WB_TRY_ASSIGN(record.check, piece.check ? Result<std::uint64_t>(*piece.check) : checkBack(m_plan.items[piece.index]));
        }
        entries.emplace_back(piece.index, std::move(record));
    }
    return m_files.journal().append(entries);
}

// Of a piece that came in parts, or over two runs of the program.
Result<std::uint64_t> SaveThread::checkBack(const run::Item& item) const {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(m_files.workPath(0)));
    constexpr std::uint64_t slabBytes = 1u << 20;
    std::vector<std::byte> slab(slabBytes);
    run::Check check;
    for (std::uint64_t at = 0; at < item.bytes; at += slabBytes) {
        const auto bytes = std::span(slab).first(static_cast<std::size_t>(std::min(slabBytes, item.bytes - at)));
        WB_TRY(source->readAt(item.offset + at, bytes));
        check.add(bytes);
    }
    return check.value();
}

bool SaveThread::save(std::vector<Piece> pieces) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_isSaving || !m_toSave.empty()) return false;
        m_toSave = std::move(pieces);
    }
    m_changed.notify_all();
    return true;
}

bool SaveThread::isSaving() const {
    const std::lock_guard lock(m_mutex);
    return m_isSaving || !m_toSave.empty();
}

void SaveThread::waitUntilSaved() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_isSaving && m_toSave.empty(); });
}

std::optional<Error> SaveThread::error() const {
    const std::lock_guard lock(m_mutex);
    return m_error;
}

void SaveThread::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_isStopped = true;
    }
    m_changed.notify_all();
}

} // namespace wb::hub

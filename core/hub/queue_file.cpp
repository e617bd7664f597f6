// SPDX-License-Identifier: MIT
#include "core/hub/queue.h"

#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"

#include <span>

namespace wb::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxBytes = 16u << 20;

} // namespace

Result<std::unique_ptr<QueueFile>> QueueFile::open(const fs::path& stateFolder) {
    std::error_code ignored;
    fs::create_directories(stateFolder, ignored);
    WB_TRY_ASSIGN(auto lock, io::LockedFile::open(stateFolder / "downloads.lock"));
    return std::unique_ptr<QueueFile>(new QueueFile(stateFolder / "downloads.json", std::move(lock)));
}

DownloadQueue QueueFile::read() const {
    const auto source = io::FileSource::open(m_file);
    if (!source) return {};
    std::string text(static_cast<std::size_t>(std::min((*source)->size(), maxBytes)), '\0');
    if ((*source)->readAt(0, std::as_writable_bytes(std::span(text))))
        if (auto queue = DownloadQueue::fromJson(text)) return *std::move(queue);
    std::error_code ignored;
    fs::path aside = m_file;
    fs::rename(m_file, aside += ".damaged", ignored);
    return {};
}

Result<void> QueueFile::write(const std::string& json) const {
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(m_file));
    WB_TRY(writer.write(json));
    return writer.commit();
}

std::vector<InterruptedDownload> interruptedDownloads(const fs::path& stateFolder) {
    std::vector<InterruptedDownload> found;
    for (run::UnfinishedRun& each : run::listUnfinished(stateFolder)) {
        if (each.record.kind != downloadKind || each.state != run::UnfinishedRun::State::Waiting) continue;
        if (auto request = requestOfPlan(each.record.plan)) found.push_back({std::move(each), *std::move(request)});
    }
    return found;
}

} // namespace wb::hub

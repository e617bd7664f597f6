// SPDX-License-Identifier: MIT
#include "core/library/damage.h"

#include "core/jobs/thread_pool.h"
#include "core/verify/damage.h"

#include <algorithm>
#include <limits>

namespace wb::library {
namespace {

bool opensSafely(const FileFacts& facts) { return facts.format == FormatId::Gguf || facts.format == FormatId::Safetensors; }

bool isOfSeveralFiles(const Entry& entry) {
    return std::ranges::count(entry.files, FileRole::Weights, &StoredFile::role) > 1 ||
           std::ranges::none_of(entry.files, [&](const StoredFile& file) { return file.path == entry.path; });
}

void addTo(std::uint64_t& hash, std::uint64_t value) {
    constexpr std::uint64_t factor = 0x100000001b3; // FNV-1a
    hash = (hash ^ value) * factor;
}

// Names the state of all files of an entry as Identity names that of one; no system has this device.
io::Identity entryState(const Entry& entry) {
    io::Identity state{std::numeric_limits<std::uint64_t>::max(), 0xcbf29ce484222325, entry.bytes(), 0};
    for (const StoredFile& file : entry.files) {
        for (const std::uint64_t part :
             {file.identity.device, file.identity.inode, file.identity.bytes, static_cast<std::uint64_t>(file.identity.modifiedNs)})
            addTo(state.inode, part);
        for (const char letter : file.name) addTo(state.inode, static_cast<unsigned char>(letter));
        state.modifiedNs = std::max(state.modifiedNs, file.identity.modifiedNs);
    }
    return state;
}

} // namespace

Result<void> markDamaged(Listing& listing, FactsIndex& index, unsigned threads, const Progress& progress) {
    std::vector<Entry*> entries;
    for (Entry& entry : listing.entries)
        if (!entry.facts.isDamaged && opensSafely(entry.facts) && isOfSeveralFiles(entry)) entries.push_back(&entry);
    return jobs::parallelFor(entries.size(), threads, progress.stop, [&](std::uint64_t i) -> Result<void> {
        Entry& entry = *entries[i];
        const io::Identity state = entryState(entry);
        auto known = index.find(state);
        if (!known) {
            known.emplace();
            known->isDamaged = verify::findDamage(entry.path, progress.stop).has_value();
            if (progress.stop.stop_requested()) return std::unexpected(canceled());
            index.keep(state, *known);
        }
        entry.facts.isDamaged = known->isDamaged;
        return {};
    });
}

} // namespace wb::library

// SPDX-License-Identifier: MIT
#include "core/library/verify.h"

#include "core/base/checked.h"
#include "core/io/digests/git_blob.h"
#include "core/io/digests/sha256.h"
#include "core/verify/damage.h"

#include <algorithm>
#include <limits>
#include <set>

namespace wb::library {
namespace {

Result<std::string> progressHash(const StoredFile& file, const Progress& progress) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(file.path));
    if (!file.gitSha1.empty()) return io::gitBlobName(*source, progress);
    WB_TRY_ASSIGN(const io::Sha256Digest digest, io::hashSha256(*source, progress));
    return io::hexText(digest);
}

// A hash in the index was computed from this very file, so it proves nothing; only what a store records counts.
VerifiedFile begun(const Entry& entry, const StoredFile& file) {
    VerifiedFile verified;
    verified.entry = entry.id;
    verified.name = file.name;
    verified.path = file.path;
    verified.expected = !file.gitSha1.empty() ? file.gitSha1 : file.isHashRecorded ? file.sha256 : std::string();
    return verified;
}

// A file with the recorded hash may still be one that nothing opens: it was damaged before it was stored.
void setDamage(VerifiedFile& file, const std::stop_token& stop) {
    auto damage = verify::findDamage(file.path, stop);
    if (!damage) return;
    file.isGood = false;
    file.failure = std::move(damage);
}

// A missing shard, say: no file of the entry shows it.
void addDamageOfWhole(const Entry& entry, std::vector<VerifiedFile>& verified, const std::stop_token& stop) {
    const auto isKnown = [&](const VerifiedFile& file) { return file.entry == entry.id && file.failure; };
    if (!entry.facts.isDamaged || std::ranges::any_of(verified, isKnown)) return;
    VerifiedFile whole;
    whole.entry = entry.id;
    whole.name = io::baseName(entry.path);
    whole.path = entry.path;
    setDamage(whole, stop);
    if (whole.failure) verified.push_back(std::move(whole));
}

} // namespace

Result<std::vector<VerifiedFile>> verify(const std::vector<const Entry*>& entries, const Progress& progress) {
    std::vector<std::pair<const Entry*, const StoredFile*>> files;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::uint64_t total = 0, before = 0;
    for (const Entry* entry : entries)
        for (const StoredFile& file : entry->files)
            if (seen.insert({file.identity.device, file.identity.inode}).second) {
                files.emplace_back(entry, &file);
                total = checked::add(total, file.bytes()).value_or(std::numeric_limits<std::uint64_t>::max());
            }
    std::vector<VerifiedFile> verified;
    for (const auto& [entry, file] : files) {
        const Progress ofFile{progress.stop, [&](std::uint64_t done, std::uint64_t) {
                                  if (progress.report) progress.report(before + done, total);
                              }};
        VerifiedFile& result = verified.emplace_back(begun(*entry, *file));
        auto hash = progressHash(*file, ofFile);
        if (!hash && hash.error().code == ErrorCode::Canceled) return std::unexpected(hash.error());
        if (hash) result.computed = std::move(*hash);
        else result.failure = hash.error();
        if (!result.expected.empty() || !hash) result.isGood = hash && result.computed == result.expected;
        if (hash && file->role == FileRole::Weights) setDamage(result, progress.stop);
        before = checked::add(before, file->bytes()).value_or(total);
    }
    for (const Entry* entry : entries) addDamageOfWhole(*entry, verified, progress.stop);
    if (progress.stop.stop_requested()) return std::unexpected(canceled());
    return verified;
}

} // namespace wb::library

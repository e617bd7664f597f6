// SPDX-License-Identifier: MIT
#include "core/library/verify.h"

#include "core/base/checked.h"
#include "core/io/git_blob.h"
#include "core/io/sha256.h"

#include <limits>
#include <set>

namespace wb::library {
namespace {

Result<std::string> hashOf(const StoredFile& file, const Progress& progress) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(file.path));
    if (!file.gitSha1.empty()) return io::gitBlobName(*source, progress);
    WB_TRY_ASSIGN(const io::Sha256Digest digest, io::sha256Of(*source, progress));
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
        auto hash = hashOf(*file, ofFile);
        if (!hash && hash.error().code == ErrorCode::Cancelled) return std::unexpected(hash.error());
        if (hash) result.computed = std::move(*hash);
        else result.failure = hash.error();
        if (!result.expected.empty() || !hash) result.isGood = hash && result.computed == result.expected;
        before = checked::add(before, file->bytes()).value_or(total);
    }
    return verified;
}

} // namespace wb::library

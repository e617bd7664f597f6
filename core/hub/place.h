// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"
#include "core/io/system/locked_file.h"

#include <filesystem>

namespace wb::hub {

// Where a repository's files go. In a folder file P is folder/P, and next to them only .cache/huggingface, as huggingface_hub does
// with local_dir; the caches are laid out as the hubs' own clients lay them out and read them
// (docs/reference/hub.md, "Authentication, errors, cache" and "Local stores"; huggingface/huggingface_hub:
// file_download.py; modelscope/modelscope_hub: _cache_manager.py).
enum class PlaceKind { Folder, HuggingFaceCache, ModelScopeCache };

struct DownloadPlace {
    PlaceKind kind = PlaceKind::Folder;
    std::filesystem::path root; // the folder, HF_HUB_CACHE, MODELSCOPE_CACHE

    bool operator==(const DownloadPlace&) const = default;
};

// The folder in which the repository's files are found when all is there.
std::filesystem::path downloadFolder(const DownloadPlace& place, const Repository& repository, const std::string& commit);

// Where the bytes of this file are written; `commit` is what the revision was resolved to.
std::filesystem::path downloadTarget(const DownloadPlace& place, const Repository& repository, const std::string& commit,
                                     const RemoteFile& file);

// State of a file that may already exist at its target.
enum class Presence {
    Absent,  // nothing of that name
    Present, // it is this file
    Former,  // what an earlier download put there, unchanged since: may be replaced
    Unknown, // its bytes have to be compared
};
Presence filePresence(const DownloadPlace& place, const Repository& repository, const std::string& commit, const RemoteFile& file);

// Makes the folders above the target and returns the created ones, outermost first. Beneath the root it follows no
// link: NotWritable if a component is a link.
Result<std::vector<std::filesystem::path>> makeFolders(const DownloadPlace& place, const std::filesystem::path& target);

// In a cache that others use: their lock on this file, held while it lives. NotWritable where another program loads it now.
Result<std::unique_ptr<io::LockedFile>> lockFor(const DownloadPlace& place, const Repository& repository, const RemoteFile& file);

// Called when the bytes are at their target: the side file, or the link and the branch of the cache.
Result<void> publish(const DownloadPlace& place, const Repository& repository, const std::string& commit, const RemoteFile& file,
                     std::int64_t unixNow);

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/download_file.h"
#include "core/hub/place.h"

// Downloads as programs start them: `wb download` and the Browse tab. Both calls block and belong into a job of the tray; its
// Progress counts bytes, pauses and stops them, and what was stopped continues with the same request.
namespace wb::hub {

struct DownloadRequest {
    Repository repository;                                      // its revision may be a branch: what it is now is fetched
    std::function<bool(const std::string& path)> isWanted = {}; // empty: all files
    DownloadPlace place;
    std::vector<Repository> alternates; // the same files elsewhere; only equal SHA-256 counts as the same
    FileOptions options;
    std::vector<std::string> files = {}; // the exact paths that are meant; empty: all that isWanted lets through
    std::uint64_t bytesOfOthers = 0;     // what other downloads still want on the disk
};

struct PlannedDownload {
    enum class State { Present, Wanted, Refused };
    RemoteFile file;
    std::filesystem::path target;
    State state = State::Wanted;
    bool replace = false; // an earlier revision of the file goes
    std::optional<Error> refusal;
};

struct DownloadPlan {
    Repository repository; // pinned: its revision is `commit` where the hub has commits
    Repository asked;      // as it was asked for
    std::string commit;
    std::filesystem::path folder; // in which the files are found in the end
    std::vector<PlannedDownload> files;
    std::uint64_t bytes = 0;                // of all files that are not refused
    std::uint64_t toFetch = 0;              // of those that do not exist
    std::optional<std::uint64_t> freeBytes; // on the disk of the target
    std::optional<Error> warning;           // little is left on the disk afterwards
};

// All files of a repository, at the commit that its revision is now.
Result<FileList> listFiles(Client& client, const Repository& repository, const Progress& progress);

// What would be downloaded; changes nothing. NoRoom where the disk does not have space for the missing files.
Result<DownloadPlan> planDownload(Client& client, const Network& network, const DownloadRequest& request, const Progress& progress);

// The same for a known list, without requests. `request` names the repository at the list's commit.
Result<DownloadPlan> planListed(const DownloadRequest& request, FileList list);

struct DownloadedFile {
    enum class State { Downloaded, Present, Refused, Failed };
    std::string path;
    std::uint64_t bytes = 0;
    std::string sha256; // empty: not known
    State state = State::Failed;
    std::optional<Error> error;
    std::vector<std::string> sources = {}; // the repositories that its bytes were requested from, the last one has the rest of them
};

struct DownloadOutcome {
    DownloadPlan plan;
    std::uint64_t fetchedBytes = 0;
    std::vector<DownloadedFile> files; // in the order of the plan

    // The first file that did not come, which is the failure of the whole; empty: all is there.
    std::optional<Error> error() const;
};

// Fetches what the plan lacks, file by file, through all sources. Files that cannot be had are in the outcome with their errors and
// keep no other file from coming; what fails for all (no network, no space) ends the rest. The only separate Error is Canceled.
Result<DownloadOutcome> download(Client& client, const Network& network, const DownloadRequest& request, DownloadPlan plan,
                                 const Progress& progress);

// The request that continues with an interrupted download, out of what its record holds (run::RunRecord::plan of the kind
// `downloadKind`): one file at its place, and where else its bytes are. Empty where the text is nothing of that.
inline constexpr const char* downloadKind = "download";
std::optional<DownloadRequest> requestOfPlan(const std::string& plan);

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/unfinished.h"
#include "core/hub/client.h"
#include "core/hub/speed_limit.h"

#include <functional>

namespace wb::hub {

// One file on its way to this disk.
struct FileTask {
    Repository repository; // at a commit
    RemoteFile file;       // as listed by the hub
    std::filesystem::path target;
    bool replace = false; // a file of that name may go
    std::string plan;     // what `wb unfinished` and the tray remember of it
};

struct FileOptions {
    unsigned lines = 8; // connections
    std::uint64_t pieceBytes = 16u << 20;
    unsigned attempts = 10;                               // failures in a row before the file is abandoned
    std::vector<std::shared_ptr<SpeedLimit>> limits = {}; // all of them hold
    std::filesystem::path stateFolder;                    // empty: the download is not listed as unfinished
    std::function<bool()> isPausing = {};                 // whether the next report of progress waits; any thread
};

struct FileDone {
    std::uint64_t fetchedBytes = 0; // bytes received, including repeated ones
    std::string sha256;             // also of a file without a hash on the hub; empty of files named by git's hash
};

// Fetches a file over several connections, hashes it while it comes, and renames it when the hash matches the hub's. Received bytes
// stay in a part file and a journal next to the target (core/convert/run) when the job is stopped, killed or stops, and the same
// call continues there, whatever its address is by then; at most two seconds and one piece a connection come again. A file whose
// bytes are wrong is fetched again, where its journal shows which pieces are damaged those only, and then abandoned. A refusal
// changes nothing. Waits, 429 and lost connections included, are reported to the network's `report`. `done` is called with the
// bytes of this file that are there.
Result<FileDone> downloadFile(Client& client, const Network& network, const FileTask& task, const FileOptions& options,
                              const Progress& progress);

// The disk holds the file already: size and hash are the hub's.
Result<bool> isThere(const RemoteFile& file, const std::filesystem::path& path, const Progress& progress);

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

namespace wb::training {

// The files of a checkpoint beneath its folder, for a worker that reads all of them. Of many files, which a process could not keep
// open at once, each is opened for every read; its size and identity are those of the first time.
struct OpenedFiles {
    std::vector<formats::OpenedFile> files;
    std::vector<Problem> problems; // files that cannot be opened
    std::string wish;              // the names of `files`, a line each
};

// Strictly an Error for a file that cannot be opened.
Result<OpenedFiles> openFiles(const std::filesystem::path& folder, const std::vector<std::string>& names,
                              const formats::OpenOptions& options);

// The one model that the worker's task makes of the files of a folder, with recipes of boxes. It tells of the files that cannot be
// opened, too.
Result<ModelPtr> openJoined(const char* task, const std::filesystem::path& folder, OpenedFiles opened,
                            const formats::OpenOptions& options);

} // namespace wb::training

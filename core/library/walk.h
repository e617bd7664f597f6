// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/io/system/file_stat.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace wb::library {

// A regular file below a folder.
struct WalkedFile {
    std::string name; // relative to the folder, '/' between components
    std::filesystem::path path;
    io::FileStat stat; // of the file after a link
    bool isLink = false;
};

struct Walked {
    std::vector<WalkedFile> files;             // by name
    std::set<std::filesystem::path> withCache; // folders in which something is called ".cache", where hubs' clients keep records
    std::vector<Problem> problems;             // what was omitted
};

// Caps on one store: a folder like a whole disk is listed as far as this.
struct WalkLimits {
    unsigned depth = 12;
    std::uint64_t entries = 500'000;
    unsigned threads = 1; // that list folders at once; 0: as many as the machine has
};

// Lists the regular files below `folder`. Hidden names and names that are not UTF-8 are omitted. No folder after a link is
// entered, and a file after one counts only where it is inside `root`, the store's own folder. Only a stop is an error; what
// cannot be listed is a problem.
Result<Walked> walk(const std::filesystem::path& folder, const std::filesystem::path& root, const WalkLimits& limits,
                    const Progress& progress);

// The folders directly in `folder` by name, links omitted; empty where it cannot be listed.
std::vector<std::string> foldersIn(const std::filesystem::path& folder, std::uint64_t maximum = 100'000);

// Whether `path`, all links followed, is inside `root`; false where either does not exist.
bool liesWithin(const std::filesystem::path& path, const std::filesystem::path& root);

} // namespace wb::library

// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

namespace wb::library {

// The result of hashing one file.
struct VerifiedFile {
    std::string entry; // id
    std::string name;
    std::filesystem::path path;
    std::string expected;         // as its store records it: sha256, or 40 digits of git's SHA-1; empty: nothing is recorded
    std::string computed;         // the same kind, sha256 where nothing is recorded; empty: the file could not be read
    std::optional<bool> isGood;   // empty: there is nothing to compare with
    std::optional<Error> failure; // why it could not be read, or what strict opening refuses
};

// Hashes every file of these entries, compares with what their stores record, and opens the models strictly; no network is asked. A
// file that several entries share is hashed once. A model of several files whose parts do not belong together has an additional
// result with its path and without hashes. `progress` counts bytes. Only a stop is an error.
Result<std::vector<VerifiedFile>> verify(const std::vector<const Entry*>& entries, const Progress& progress);

} // namespace wb::library

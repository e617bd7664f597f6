// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

#include <functional>

namespace wb::library {

// What removing models from a store would do, by the store's own rules. Nothing outside the stores is named, and no link is
// followed out of one: a link is deleted, the file after it only where it is inside its store and nothing else leads to it.
struct RemovalPlan {
    struct Kept {
        std::filesystem::path path;
        Error why; // a sentence
    };

    std::vector<std::filesystem::path> trash;  // files to move to the trash
    std::vector<std::filesystem::path> unlink; // links whose files are in `trash` or kept: deleted
    std::vector<std::filesystem::path> empty;  // folders to remove if they are empty by then, the innermost first
    std::vector<Kept> kept;                    // files of these models that stay
    std::uint64_t frees = 0;                   // bytes on disk once the trash is emptied
};

// Of an id that is not in the listing.
inline constexpr Reason noSuchModel("library.no_such_model");
inline constexpr const char* noSuchModelSentence = WB_TEXT("{} is not in the library; run wb library to list the models.");

// Reads the caches again for other references to their files. NotFound where an id is not in the listing; NotReadable where a cache
// cannot be read, because then the needed files are unknown.
Result<RemovalPlan> planRemoval(const Listing& listing, const std::vector<std::string>& ids);

// Moves one file to the trash of this user; how is the program's business.
using Trash = std::function<Result<void>(const std::filesystem::path&)>;

// Carries the plan out: first what programs find the models by (manifests, links), then the bytes. Stops at the first failure; what
// was moved by then is in the trash.
Result<void> remove(const RemovalPlan& plan, const Trash& trash, const Progress& progress);

} // namespace wb::library

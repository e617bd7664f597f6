// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/io/byte_source.h"
#include "core/library/facts.h"
#include "core/library/stores.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::library {

// The role of a file in its model.
enum class FileRole : std::uint8_t { Weights, Companion }; // Companion: configuration, vocabulary, projector, card …

struct StoredFile {
    std::string name;             // relative to the repository or folder that contains the model; UTF-8, '/' between components
    std::filesystem::path path;   // as programs open it; in a cache of links that of the link
    std::filesystem::path behind; // the file that the link leads to; empty where `path` is not a link
    io::Identity identity;        // of the bytes after it
    std::int64_t accessed = 0;    // when it was last read, seconds since 1970; 0: not known
    FileRole role = FileRole::Companion;
    std::string sha256;          // 64 small hex digits that its store names it by, or that were computed; empty: not known
    bool isHashRecorded = false; // sha256 is what the store says, so that the file can be compared with it
    std::string gitSha1;         // 40: what small files of the Hugging Face cache are named by; empty: not known

    std::uint64_t bytes() const { return identity.bytes; }
};

// Where a model was downloaded from, as its store records it.
struct Origin {
    std::string hub;    // "hf", "ms"
    std::string id;     // "owner/name"
    std::string commit; // or branch; empty: not known
};

// One model of a store. A repository with several GGUF files is several entries, each with the projectors next to it; the parts of
// a split are one, and so are the shards of a folder with their config.json.
struct Entry {
    std::string id;                   // unique in a listing: "hf:acme/tiny-gguf:model-Q4_K_M.gguf", "ollama:llama3.2:3b"
    std::string name;                 // for people: "tiny-gguf · model-Q4_K_M.gguf"
    std::size_t store = 0;            // index into Listing::stores
    std::filesystem::path path;       // what opens as the model: its first weight file, or its folder
    std::filesystem::path repository; // the folder that its store keeps the model in, which removing and revealing go by
    std::vector<StoredFile> files;    // weights first, each group by name
    std::optional<Origin> origin;
    FileFacts facts;                     // of all its weight files together
    std::vector<std::string> duplicates; // ids of other entries whose weight files have the same sha256

    std::uint64_t bytes() const;
    std::int64_t lastUsed() const; // the latest reading of a weight file, seconds since 1970; 0: not known
    double bitsPerWeight() const;  // 0: not known
};

struct StoreListing {
    Store store;
    std::size_t models = 0;
    std::uint64_t bytes = 0;
    std::vector<Problem> problems; // what was omitted and why
};

struct Listing {
    std::vector<StoreListing> stores;
    std::vector<Entry> entries;    // by name
    std::uint64_t bytes = 0;       // of all files of all entries
    std::uint64_t bytesOnDisk = 0; // the same, what several entries share counted once

    const Entry* find(std::string_view id) const; // null: none
};

} // namespace wb::library

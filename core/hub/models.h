// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/repository.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What hubs say about models. Text is valid UTF-8, as they wrote it; counts and sizes are theirs, too.
namespace wb::hub {

enum class Gate { Open, Automatic, Manual }; // Manual: a person of the publisher decides

enum class SortBy { Downloads, Likes, Updated, Created, Trending };

// A capability of a model, in addition to its task.
enum class Capability { Any, Vision, Tools, Reasoning, Code, Embedding };

struct SearchRequest {
    std::string text;
    std::string author;
    std::vector<std::string> filters; // tags: gguf, safetensors, a language, base_model:…
    std::string task;                 // text-generation
    std::string licence;              // apache-2.0
    std::optional<bool> isGated;
    std::uint64_t minParameters = 0; // both 0: any
    std::uint64_t maxParameters = 0;
    SortBy sort = SortBy::Downloads; // always descending
    unsigned pageRows = 50;          // wished for; hubs give at most some hundred
    std::string language = {};       // "zh"
    std::uint64_t minBytes = 0;      // of the whole repository, if the hub reports it; both 0: any
    std::uint64_t maxBytes = 0;
    std::string updatedSince = {}; // "2026-08-01": changed on this day or later, UTC; empty: any
    std::string quant = {};        // "Q4_K_M", "AWQ": of at least one of its files; empty: any
    Capability capability = Capability::Any;

    bool operator==(const SearchRequest&) const = default;
};

// One row of a list. Hubs give no hashes there, so rows of two hubs are never the same.
struct ModelRow {
    Hub hub = Hub::HuggingFace;
    std::string id;   // "owner/name"
    std::string name; // as it is shown; on ModelScope often Chinese
    std::uint64_t downloads = 0;
    std::uint64_t likes = 0;
    Gate gate = Gate::Open;
    std::string licence;                     // empty: not said
    std::optional<std::uint64_t> parameters; // of GGUF-only repositories often wrong or absent
    std::optional<std::uint64_t> bytes;      // of the whole repository
    std::string updated;                     // ISO 8601, UTC; empty: not said
    std::string task;
    std::string library;
    std::vector<std::string> tags;
    std::vector<std::string> files = {}; // their paths, only where the search is for a quantization and the hub lists them

    bool operator==(const ModelRow&) const = default;
};

struct SearchPage {
    std::vector<ModelRow> rows;
    std::string next; // hand it in for the next page; empty: this was the last
};

struct ModelInfo {
    Repository repository;
    std::string commit; // what the revision is now: Hugging Face's commit, on ModelScope the revision's name
    bool isPrivate = false;
    bool isDisabled = false;
    Gate gate = Gate::Open;
    std::string licence;
    std::string licenceLink;
    std::vector<std::string> baseModels;
    std::vector<std::string> languages;
    std::vector<std::string> tags;
    std::string task;
    std::string library;
    std::string updated;
    std::uint64_t downloads = 0;
    std::uint64_t likes = 0;
    std::optional<std::uint64_t> parameters;
    std::optional<std::uint64_t> bytes;
    std::string card;    // Markdown; only ModelScope sends it here, see Client::text
    std::string pageUrl; // for a browser: where terms are accepted
};

// One file of a repository at one commit.
struct RemoteFile {
    std::string path;             // as listed; shown through shownName only
    std::uint64_t bytes = 0;      // what it has when it is complete
    std::string sha256;           // 64 small digits; empty: not known
    std::string gitSha1;          // of small files, 40 small digits, over git's header and the bytes; empty: not known
    std::optional<Error> refusal; // why it is not downloaded: its name or its size
};

struct FileList {
    std::string commit;
    std::vector<RemoteFile> files; // in the hub's order, refused ones included
};

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

namespace wb::library {

// Files of one repository, or of a whole folder of models, before models are identified.
struct FileTree {
    std::filesystem::path folder; // what StoredFile::name is relative to
    std::string idPrefix;         // of the entry of the whole folder: "hf:acme/tiny"
    std::string separator;        // between that and the name of a file or folder further in
    std::string name;             // for people: "acme/tiny"; empty: entries are called by their own folder or file
    std::optional<Origin> origin;
    bool sharesCompanions = false; // projectors at the top belong to models in folders beneath too
    std::vector<StoredFile> files; // by name
};

// Which of these files are models, by their names alone: one entry for each GGUF file (parts of a split together), for each folder
// of weights with a config.json, and for each pipeline with a model_index.json. Files of interrupted downloads are omitted.
std::vector<Entry> groupFiles(FileTree tree);

// Whether a GGUF of that name only helps another one: a projector, a draft head, an importance matrix (ggml-org/llama.cpp:
// common/download.cpp).
bool isCompanionName(std::string_view fileName);

} // namespace wb::library

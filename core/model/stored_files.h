// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// A reader may give a model files that are on no disk: members of an archive ("a.keras/model.weights.h5"), values copied or
// unpacked out of a file ("a.joblib#values"). Whoever lists files for people or for other programs wants the ones on the disk.
namespace wb {

// The source of the bytes of a model's file.
struct StoredPlace {
    std::string file;                   // on the disk, relative to Model::folder
    std::optional<std::uint64_t> shift; // of the first byte in `file`; empty where they do not are in it in one run as they are
    std::string member;                 // of an archive; empty: none
};

// `file` is an index into Model::files.
StoredPlace storedPlace(const Model& model, std::uint32_t file);

// The files on the disk, each once, in the order of the model.
struct StoredFile {
    std::string name;
    std::uint64_t bytes = 0;
};
std::vector<StoredFile> storedFiles(const Model& model);

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/safetensors/header.h"
#include "core/formats/safetensors/names.h"

namespace wb::safetensors {

// One file of a model of several: its header, or why it could not be read.
struct Shard {
    ModelFile file;
    Header header;
    std::vector<Problem> problems;
    std::optional<Error> error; // NotFound where the file is missing
};

// Reads the headers of the named files beneath `folder` on several threads; the result has their order. In strict use the first
// file that cannot be read is the error of the whole.
Result<std::vector<Shard>> readShards(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                      const formats::OpenOptions& options);

// Moves what the shards hold into `model`; shard i becomes file model.files.size() + i. A file that could not be read is listed
// with its problem and without tensors.
void addShards(Model& model, std::vector<Shard> shards);

// Tensors of one name in two files, unless these hold parts of tensors (DCP_SHARDING_INFO in their metadata). `names` are the
// sorted ones of model.tensors.
Result<void> checkOneFileEach(const Model& model, std::span<const HashedName> names, Findings& findings);

} // namespace wb::safetensors

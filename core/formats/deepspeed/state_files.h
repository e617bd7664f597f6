// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/deepspeed/names.h"
#include "core/formats/deepspeed/states.h"
#include "core/formats/training/rank_file.h"

namespace wb::deepspeed {

// One file of a checkpoint while it is joined with the others.
struct StateFile : training::RankFile {
    StateName id;
    ModelStates model;         // of a model file
    OptimizerStates optimizer; // of an optimizer file
};

// Reads all files and lists their tensors in the index, each with the name of its file in front. A file that cannot be read is a
// problem, strictly an Error. `names` are those of the sources relative to the model's folder, in their order.
Result<std::vector<StateFile>> readStateFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                              const formats::OpenOptions& options, formats::Index& index);

} // namespace wb::deepspeed

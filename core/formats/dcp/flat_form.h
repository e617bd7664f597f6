// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

namespace wb::dcp {

// Local state dictionaries of FSDP 1, a file for each rank: "pytorch_model_fsdp_rank0.bin" (pytorch/pytorch:
// torch/distributed/fsdp/_state_dict_utils.py, LOCAL_STATE_DICT; huggingface/accelerate: src/accelerate/utils/fsdp_utils.py). Their
// parameters are concatenated, and the files store neither their names nor their shapes: the flat tensor of all ranks is joined.
// Buffers, of which every rank has a copy, are under their own names.

bool isFlatFile(std::string_view name);

// The same as readIndex() for such files.
Result<formats::Index> readFlatFiles(const formats::Sources& sources, const std::vector<std::string>& names,
                                     const formats::OpenOptions& options);

} // namespace wb::dcp

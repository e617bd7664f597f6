// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/deepspeed/anatomy.h"

namespace wb::deepspeed {

// Universal checkpoints (deepspeedai/DeepSpeed: deepspeed/checkpoint/ds_to_universal.py): a folder for each parameter with a file
// for its weight and one for each moment, "zero/<parameter>/fp32.pt", "zero/<parameter>/exp_avg.pt" …

// Whether this is the name of such a file, or of "zero/optimizer_state.pt".
bool isUniversalFile(std::string_view name);

// The same as readIndex() for the files of such a checkpoint.
Result<formats::Index> readUniversal(const formats::Sources& sources, const std::vector<std::string>& names,
                                     const formats::OpenOptions& options);

} // namespace wb::deepspeed

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/dcp/join.h"

namespace wb::dcp {

// The parts of a checkpoint besides weights, recognized by the names of its entries: those of
// torch.distributed.checkpoint.state_dict
// ("optimizer", "scheduler", "step") and of Megatron's common.pt ("args", "iteration", "opt_param_scheduler").
Checkpoint describe(const formats::Index& index, const std::vector<std::string>& names, const MetadataFile& metadata,
                    const ValueObject& objects, const ValueObject* common, const std::vector<MissingPart>& missing);

} // namespace wb::dcp

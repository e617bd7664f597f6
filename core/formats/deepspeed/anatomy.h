// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/deepspeed/join.h"

namespace wb::deepspeed {

// The result of joining all sets.
struct Joined {
    std::set<std::string, std::less<>> moments; // that the optimizer keeps for a parameter
    bool hasFault = false;                      // parts of the checkpoint contradict each other
    std::size_t weights = 0;
};

// Step, learning rate, scheduler and the rest as the first readable files say them (deepspeedai/DeepSpeed:
// deepspeed/runtime/engine.py, _save_checkpoint), and the parts missing to resume.
Checkpoint describe(const std::vector<StateFile>& files, const std::vector<RankSet>& sets, const Joined& joined,
                    training::PartCounter& counter);

} // namespace wb::deepspeed

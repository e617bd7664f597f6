// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/memory.h"
#include "core/infer/graph/operations.h"
#include "core/infer/state_snapshots.h"

#include <vector>

namespace wb::infer::cpu {

// The states of a graph's recurrent operations after the tokens so far, and snapshots of them after fewer tokens, each a full copy.
// One thread at a time.
class RecurrentState {
public:
    // It must stay where it is until the memory is allocated. Without states there is nothing to keep.
    void plan(CpuMemory& memory, const std::vector<StateShape>& states, std::size_t snapshots);
    bool isEmpty() const { return m_numbers == 0; }

    // The numbers of one state, to be changed by the batch at hand.
    float* at(std::uint32_t state) const { return m_current.as<float>() + m_starts[state]; }

    // StateSnapshots::begin(), finish() and reusable(), with the states.
    Result<void> begin(std::size_t position, std::size_t tokens);
    void finish(std::size_t position) { m_snapshots.finish(position); }
    std::size_t reusable(std::size_t count) const { return m_snapshots.reusable(count); }

private:
    std::size_t m_numbers = 0;
    std::vector<std::size_t> m_starts; // of each state in a buffer
    Buffer m_current;
    StateSnapshots m_snapshots;
    std::vector<Buffer> m_kept; // of each snapshot
};

} // namespace wb::infer::cpu

// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/memory.h"
#include "core/infer/operations.h"

#include <optional>
#include <vector>

namespace wb::infer::cpu {

// Tokens at the end of a prompt before which a snapshot is taken (Engine::tailTokens): more than the words that chat templates put
// at the start of a response.
inline constexpr std::size_t stateTailTokens = 16;

// The states of a graph's recurrent operations after the tokens so far, and snapshots of them after fewer tokens, each a full copy:
// a state cannot be rewound. One thread at a time.
class RecurrentState {
public:
    // It must stay where it is until the memory is allocated. Without states there is nothing to keep.
    void plan(CpuMemory& memory, const std::vector<StateShape>& states, std::size_t snapshots);
    bool isEmpty() const { return m_numbers == 0; }

    // The numbers of one state, to be changed by the batch at hand.
    float* at(std::uint32_t state) const { return m_current.as<float>() + m_starts[state]; }

    // Makes it the state after the first `position` tokens, from which a batch of `tokens` continues. Before several tokens a
    // snapshot is taken, so that the batch may be stopped: the state is unknown until finish(). Internal where no such state is
    // kept (reusable()).
    Result<void> begin(std::size_t position, std::size_t tokens);
    void finish(std::size_t position) { m_position = position; }

    // The largest position up to `count` from which begin() can continue.
    std::size_t reusable(std::size_t count) const;

private:
    struct Snapshot {
        Buffer numbers;
        std::size_t position = 0; // 0: not used
    };

    Snapshot* find(std::size_t position);
    Snapshot& slotForNew();

    std::size_t m_numbers = 0;
    std::vector<std::size_t> m_starts; // of each state in a buffer
    Buffer m_current;
    std::optional<std::size_t> m_position = 0; // tokens that m_current stands for; empty: not known
    std::vector<Snapshot> m_snapshots;
};

} // namespace wb::infer::cpu

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace wb::infer {

// Tokens at the end of a prompt before which a snapshot is taken (Engine::tailTokens): more than the words that chat templates put
// at the start of a response.
inline constexpr std::size_t stateTailTokens = 16;

// Which state of recurrent operations an engine has, and which earlier ones it keeps: a state cannot be rewound. The states
// themselves are the engine's. One thread at a time.
class StateSnapshots {
public:
    explicit StateSnapshots(std::size_t count = 0) : m_positions(count) {}

    // Steps before a batch, in this order.
    struct Start {
        bool clears = false;                 // the state becomes zeros
        std::optional<std::size_t> restores; // the snapshot that becomes the state
        std::optional<std::size_t> saves;    // the snapshot that the state is copied to
    };

    // For a batch of `tokens` that continues after the first `position` tokens. Before several tokens a snapshot is taken, so that
    // the batch may be stopped: the state is unknown until finish(). Internal where no such state is kept (reusable()).
    Result<Start> begin(std::size_t position, std::size_t tokens);
    void finish(std::size_t position) { m_position = position; }

    // The largest position up to `count` from which begin() can continue.
    std::size_t reusable(std::size_t count) const;

private:
    std::size_t slotForNew() const;

    std::optional<std::size_t> m_position = 0; // tokens that the state stands for; empty: not known
    std::vector<std::size_t> m_positions;      // of each snapshot; 0: not used
};

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#include "core/infer/state_snapshots.h"

#include <algorithm>
#include <numeric>

namespace wb::infer {

// An unused one, else the one whose loss leaves the shortest gap; never the last one.
std::size_t StateSnapshots::slotForNew() const {
    std::vector<std::size_t> order(m_positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [this](std::size_t slot) { return m_positions[slot]; });
    if (m_positions[order.front()] == 0) return order.front();
    std::size_t least = 0;
    for (std::size_t i = 1; i + 1 < order.size(); ++i) {
        const auto gapAt = [&](std::size_t at) { return m_positions[order[at + 1]] - (at > 0 ? m_positions[order[at - 1]] : 0); };
        if (gapAt(i) < gapAt(least)) least = i;
    }
    return order[least];
}

Result<StateSnapshots::Start> StateSnapshots::begin(std::size_t position, std::size_t tokens) {
    Start start;
    if (m_positions.empty()) return start;
    for (std::size_t& kept : m_positions) // those of tokens that are replaced
        if (kept > position) kept = 0;
    const auto found = position > 0 ? std::ranges::find(m_positions, position) : m_positions.end();
    const bool isKept = found != m_positions.end();
    if (position == 0) {
        start.clears = true;
    } else if (m_position != position) {
        if (!isKept)
            return fail(ErrorCode::Internal, Reason("infer.state"),
                        WB_TEXT("The state of recurrent layers after {} tokens is not kept; this is a defect of the program."),
                        position);
        start.restores = static_cast<std::size_t>(found - m_positions.begin());
    }
    m_position.reset();
    if (position == 0 || tokens == 1 || isKept) return start;
    start.saves = slotForNew();
    m_positions[*start.saves] = position;
    return start;
}

std::size_t StateSnapshots::reusable(std::size_t count) const {
    if (m_positions.empty() || m_position == count) return count;
    std::size_t best = 0;
    for (const std::size_t position : m_positions)
        if (position <= count) best = std::max(best, position);
    return best;
}

} // namespace wb::infer

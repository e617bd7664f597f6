// SPDX-License-Identifier: MIT
#include "core/infer/cpu/recurrent_state.h"

#include "core/base/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace wb::infer::cpu {

void RecurrentState::plan(CpuMemory& memory, const std::vector<StateShape>& states, std::size_t snapshots) {
    constexpr std::size_t impossible = std::numeric_limits<std::size_t>::max();
    for (const auto& [rows, columns] : states) {
        m_starts.push_back(m_numbers);
        const auto numbers = checked::mul(rows, columns);
        m_numbers = numbers ? checked::add(m_numbers, *numbers).value_or(impossible) : impossible;
    }
    if (m_numbers == 0) return;
    memory.add(m_current, fmt::format("state [{}]", m_numbers), MemoryUse::State, {m_numbers, sizeof(float)});
    m_snapshots = std::vector<Snapshot>(std::max<std::size_t>(snapshots, 1)); // a batch that is stopped needs one
    for (std::size_t i = 0; i < m_snapshots.size(); ++i)
        memory.add(m_snapshots[i].numbers, fmt::format("state, snapshot {} [{}]", i, m_numbers), MemoryUse::State,
                   {m_numbers, sizeof(float)});
}

RecurrentState::Snapshot* RecurrentState::find(std::size_t position) {
    const auto found = std::ranges::find(m_snapshots, position, &Snapshot::position);
    return found == m_snapshots.end() ? nullptr : &*found;
}

// An unused one, else the one whose loss leaves the shortest gap; never the last one.
RecurrentState::Snapshot& RecurrentState::slotForNew() {
    std::ranges::sort(m_snapshots, {}, &Snapshot::position);
    std::size_t least = 0;
    for (std::size_t i = 1; i + 1 < m_snapshots.size(); ++i) {
        const auto gapAt = [this](std::size_t at) {
            return m_snapshots[at + 1].position - (at > 0 ? m_snapshots[at - 1].position : 0);
        };
        if (gapAt(i) < gapAt(least)) least = i;
    }
    return m_snapshots[m_snapshots.front().position == 0 ? 0 : least];
}

Result<void> RecurrentState::begin(std::size_t position, std::size_t tokens) {
    if (isEmpty()) return {};
    for (Snapshot& snapshot : m_snapshots) // those of tokens that are replaced
        if (snapshot.position > position) snapshot.position = 0;
    Snapshot* const kept = position > 0 ? find(position) : nullptr;
    if (position == 0) {
        std::memset(m_current.data(), 0, m_current.size());
    } else if (m_position != position) {
        if (!kept)
            return fail(ErrorCode::Internal, Reason("infer.state"),
                        WB_TEXT("The state of recurrent layers after {} tokens is not kept; this is a defect of the program."),
                        position);
        std::memcpy(m_current.data(), kept->numbers.data(), m_current.size());
    }
    m_position.reset();
    if (position == 0 || tokens == 1 || kept) return {};
    Snapshot& slot = slotForNew();
    std::memcpy(slot.numbers.data(), m_current.data(), m_current.size());
    slot.position = position;
    return {};
}

std::size_t RecurrentState::reusable(std::size_t count) const {
    if (isEmpty() || m_position == count) return count;
    std::size_t best = 0;
    for (const Snapshot& snapshot : m_snapshots)
        if (snapshot.position <= count) best = std::max(best, snapshot.position);
    return best;
}

} // namespace wb::infer::cpu

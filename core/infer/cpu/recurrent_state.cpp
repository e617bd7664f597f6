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
    m_kept = std::vector<Buffer>(std::max<std::size_t>(snapshots, 1)); // a batch that is stopped needs one
    m_snapshots = StateSnapshots(m_kept.size());
    for (std::size_t i = 0; i < m_kept.size(); ++i)
        memory.add(m_kept[i], fmt::format("state, snapshot {} [{}]", i, m_numbers), MemoryUse::State, {m_numbers, sizeof(float)});
}

Result<void> RecurrentState::begin(std::size_t position, std::size_t tokens) {
    WB_TRY_ASSIGN(const StateSnapshots::Start start, m_snapshots.begin(position, tokens));
    if (start.clears && !isEmpty()) std::memset(m_current.data(), 0, m_current.size());
    if (start.restores) std::memcpy(m_current.data(), m_kept[*start.restores].data(), m_current.size());
    if (start.saves) std::memcpy(m_kept[*start.saves].data(), m_current.data(), m_current.size());
    return {};
}

} // namespace wb::infer::cpu

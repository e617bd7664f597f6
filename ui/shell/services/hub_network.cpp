// SPDX-License-Identifier: MIT
#include "ui/shell/services/hub_network.h"

namespace wb::ui {

void WaitBoard::set(const wb::hub::Wait& wait) {
    const std::lock_guard lock(m_mutex);
    m_wait = wait;
}

std::optional<WaitBoard::Waiting> WaitBoard::at(wb::net::Time now) const {
    const std::lock_guard lock(m_mutex);
    if (!m_wait || m_wait->until <= now) return std::nullopt;
    return Waiting{m_wait->why, std::chrono::duration<double>(m_wait->until - now).count()};
}

Result<wb::hub::Network> HubNetwork::open(const std::shared_ptr<WaitBoard>& board, unsigned retries) const {
    WB_TRY_ASSIGN(wb::net::Transport * made, transport());
    return wb::hub::Network{made, clock, [board](const wb::hub::Wait& wait) { board->set(wait); }, retries};
}

} // namespace wb::ui

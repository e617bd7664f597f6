// SPDX-License-Identifier: MIT
#include "core/hub/speed_limit.h"

#include <algorithm>

namespace wb::hub {

void SpeedLimit::set(std::uint64_t bytesPerSecond) {
    const std::lock_guard lock(m_mutex);
    m_bytesPerSecond = bytesPerSecond;
    m_allowedAt = {}; // a debt at the former speed would stop a faster one
}

std::uint64_t SpeedLimit::bytesPerSecond() const {
    const std::lock_guard lock(m_mutex);
    return m_bytesPerSecond;
}

net::Time SpeedLimit::take(net::Time now, std::uint64_t bytes) {
    const std::lock_guard lock(m_mutex);
    if (m_bytesPerSecond == 0) return now;
    const double seconds = static_cast<double>(bytes) / static_cast<double>(m_bytesPerSecond);
    m_allowedAt = std::max(m_allowedAt, now) + std::chrono::duration_cast<net::Duration>(std::chrono::duration<double>(seconds));
    return m_allowedAt;
}

} // namespace wb::hub

// SPDX-License-Identifier: MIT
#include "gpu/stats/counters.h"

namespace wb::gpu {

Result<void> Counters::reserve(std::uint64_t count) {
    if (!m_cleared) WB_TRY(clear());
    if (m_reserved + count > UINT32_MAX) WB_TRY(collect());
    m_reserved += count;
    return {};
}

Result<void> Counters::clear() {
    Recorder recorder(m_device);
    recorder.fill(view(), 0);
    WB_TRY(m_device->submit(std::move(recorder)));
    m_cleared = true;
    return {};
}

Result<void> Counters::collect() {
    if (!m_cleared) return {};
    Recorder recorder(m_device);
    recorder.copy(view(), m_space.counterReadback->view(0, view().bytes));
    recorder.fill(view(), 0);
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    WB_TRY(ticket.wait());
    const auto counted = m_space.counterReadback->map<std::uint32_t>();
    for (std::size_t i = 0; i < m_totals.size(); ++i) m_totals[i] += counted[i];
    m_reserved = 0;
    return {};
}

} // namespace wb::gpu

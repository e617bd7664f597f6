// SPDX-License-Identifier: MIT
#include "gpu/device/hazards.h"

#include <algorithm>

namespace wb::gpu {

bool Hazards::conflicts(const Access& access) const {
    return std::ranges::any_of(m_open, [&](const Access& earlier) {
        return earlier.object == access.object && (earlier.write || access.write) && earlier.begin < access.end &&
               access.begin < earlier.end;
    });
}

bool Hazards::add(const std::vector<Access>& step) {
    const bool needed = std::ranges::any_of(step, [this](const Access& access) { return conflicts(access); });
    if (needed) m_open.clear();
    m_open.insert(m_open.end(), step.begin(), step.end());
    return needed;
}

} // namespace wb::gpu

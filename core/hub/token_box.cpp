// SPDX-License-Identifier: MIT
#include "core/hub/token_box.h"

#include <algorithm>

namespace wb::hub {

void TokenBox::set(Hub hub, Given given) {
    const std::lock_guard lock(m_mutex);
    m_given[static_cast<std::size_t>(hub)] = std::move(given);
}

TokenBox::Given TokenBox::get(Hub hub) const {
    const std::lock_guard lock(m_mutex);
    return m_given[static_cast<std::size_t>(hub)];
}

void TokenBox::apply(Settings& settings) const {
    for (const Hub hub : allHubs) {
        const Given given = get(hub);
        Source& source = settings.source(hub);
        if (!given.token.empty()) source.token = given.token;
        source.consent = source.consent || given.consent;
    }
}

bool isToken(std::string_view text) {
    constexpr std::size_t longest = 4096;
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

} // namespace wb::hub

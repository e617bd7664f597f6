// SPDX-License-Identifier: MIT
#include "core/chat/message.h"

#include <algorithm>
#include <array>

namespace wb::chat {
namespace {

constexpr std::array<std::string_view, 3> roleNames = {"system", "user", "assistant"};

} // namespace

const char* roleName(Role role) { return roleNames[static_cast<std::size_t>(role)].data(); }

std::optional<Role> findRole(std::string_view name) {
    const auto found = std::ranges::find(roleNames, name);
    return found == roleNames.end() ? std::nullopt : std::optional(static_cast<Role>(found - roleNames.begin()));
}

} // namespace wb::chat

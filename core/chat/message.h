// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb::chat {

enum class Role : std::uint8_t { System, User, Assistant };

// "system", "user", "assistant": in chat templates, JSON and the database of conversations.
const char* roleName(Role role);
std::optional<Role> findRole(std::string_view name);

// One message of a conversation, as a model reads it.
struct Message {
    Role role = Role::User;
    std::string content;

    friend bool operator==(const Message&, const Message&) = default;
};

} // namespace wb::chat

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Changes of one member of a JSON object in its text, so that everything else keeps its bytes, order and layout.
namespace wb::json {

// The text with the value of the member `key` of its outermost object replaced by `value`, which is JSON; empty if the text is not
// an object, or has no such member. If `within` is not empty, the member is searched in the object that is that member's value.
std::optional<std::string> withMember(std::string_view text, std::string_view within, std::string_view key, std::string_view value);

// The text without that member; the same text if the object has no such member.
std::string withoutMember(std::string_view text, std::string_view key);

} // namespace wb::json

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb::library {

// "owner/name" for the folder "models--owner--name" of a cache; empty where it is not such a name.
std::optional<std::string> repositoryOfFolder(std::string_view folder);

} // namespace wb::library

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace wb::io {

// The content of a small regular file; empty where it cannot be read, is a link or longer than `maximum` bytes.
std::optional<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t maximum);

} // namespace wb::io

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace wb::io {

// Bytes that this user may still write in the folder `path`, or where it is none in the one that a file of this name lies or will lie
// in, wherever a link of that name leads: asked of the nearest one that exists. Empty where the system does not say.
std::optional<std::uint64_t> freeSpace(const std::filesystem::path& path);

} // namespace wb::io

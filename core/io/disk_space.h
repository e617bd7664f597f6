// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace wb::io {

// Bytes that this user may still write where `path` lies or will lie: asked of the nearest folder above it that exists.
Result<std::uint64_t> freeSpace(const std::filesystem::path& path);

} // namespace wb::io

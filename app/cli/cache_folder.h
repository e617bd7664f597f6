// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wb::cli {

// Where this user's programs keep what can be computed again: the folder the window takes too, unless its settings name another. Empty
// where the environment names no home; need not exist. Follows XDG_CACHE_HOME, LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path cacheFolder();

} // namespace wb::cli

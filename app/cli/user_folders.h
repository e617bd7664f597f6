// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

// The folders of this user that both programs share. Empty where the environment names no home; they need not exist.
namespace wb::cli {

// Where what can be computed again is kept: the folder the window takes too, unless its settings name another. Follows
// XDG_CACHE_HOME, LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path cacheFolder();

// Where is kept what one start of a program hands to the next: unfinished runs, and the window's session. Follows XDG_CONFIG_HOME,
// LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path stateFolder();

} // namespace wb::cli

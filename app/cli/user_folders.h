// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

// The folders of this user that both programs share. Empty where the environment names no home; they need not exist. A program that
// is carried around has all three in its own folder (core/io/system/own_program.h).
namespace wb::cli {

// Where what can be computed again is kept: the folder the window takes too, unless its settings name another. Follows
// XDG_CACHE_HOME, LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path cacheFolder();

// Where is kept what one start of a program hands to the next: unfinished runs, and the window's session. Follows XDG_CONFIG_HOME,
// LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path stateFolder();

// Where this program downloads models into: weighbridge/models of XDG_DATA_HOME, LOCALAPPDATA on Windows, and Apple's custom.
std::filesystem::path modelsFolder();

std::filesystem::path homeFolder();

// The value of a variable as a path; empty where it is not set.
std::filesystem::path environmentPath(const char* variable);

} // namespace wb::cli

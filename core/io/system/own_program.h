// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace wb::io {

// The file of the running program; empty where the system does not tell.
std::filesystem::path ownProgram();

// The folder "weighbridge-data" in the folder of PROGRAM, or next to the folder "bin" that PROGRAM is in, where there is one; else
// empty. A program that finds it keeps its settings, its cache and its models in folders of that name inside it and nowhere else,
// so that it can be carried on a USB stick. Access tokens stay in the keychain of the system.
std::filesystem::path portableFolder(const std::filesystem::path& program = ownProgram());

} // namespace wb::io

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/library/stores.h"

// The folders that the user added to the library, in the file "library.json" of the state folder that the window and wb share:
// {"folders":[{"kind":"folder","path":"/models"}]}. Everything here touches the disk.
namespace wb::library {

// Empty where there is not such a file, or it cannot be read.
std::vector<Store> readChosenFolders(const std::filesystem::path& stateFolder);

// Writes the whole list; the state folder is made. NotWritable, NoRoom; Invalid for a path whose name is not valid text, which
// could not be read back.
Result<void> writeChosenFolders(const std::filesystem::path& stateFolder, const std::vector<Store>& folders);

} // namespace wb::library

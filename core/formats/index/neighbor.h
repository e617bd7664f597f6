// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

namespace wb::formats {

// openFile() of a description whose values are in a file next to it, of the same name with another extension (".bin"): the second
// source where it exists.
Result<ModelPtr> openWithNeighbor(const Tasks& tasks, const std::filesystem::path& path, const char* extension,
                                  const OpenOptions& options);

} // namespace wb::formats

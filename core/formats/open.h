// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::formats {

// Opens a file or folder by its content, never by its extension. Reads headers only.
//
// A file means that file; its neighbors (index.json, split parts, config.json) are read when `path` is a folder, an index.json,
// or the first part of a split. A later part of a split shows itself, with a warning.
//
// The Error's sentence contains the base name of `path`: NotFound, NotReadable, Unknown (with the name of the apparent format, if
// recognized), Malformed, Unsupported, TooLarge, Canceled.
Result<ModelPtr> open(const std::filesystem::path& path, const OpenOptions& options = {});

} // namespace wb::formats

// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/memory/subject.h"

#include <filesystem>

namespace wb::memory {

// Opens what is to be counted: a model file or folder, or a config.json alone, which is not a model that can be opened elsewhere.
// The only function of this room that touches files; the command line and the window share it.
Result<Subject> openSubject(const std::filesystem::path& path, const formats::OpenOptions& options);

} // namespace wb::memory

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace wb::cli {

// The refusal of a file that would be written and has another part in the same command.
std::unexpected<Error> namedTwice(const std::string& path);

// Whether two names lead to one file, by links or another spelling too; the second may be free yet.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace wb::cli

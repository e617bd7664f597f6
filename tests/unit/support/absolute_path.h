// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace wb::test {

// An absolute path of this system, on Windows one with a drive: "/models/a" or "C:/models/a". Nothing is there.
inline std::string absolutePath(const std::string& beneathRoot) {
    return (std::filesystem::current_path().root_path() / beneathRoot).generic_string();
}

} // namespace wb::test

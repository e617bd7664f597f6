// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wb::huggingface {

// The entries of one folder, sorted by name. Names that are not UTF-8 and folders after a
// symbolic link are omitted.
struct Listing {
    std::vector<std::string> files;
    std::vector<std::string> folders;

    bool hasFile(std::string_view name) const;
    std::vector<std::string> filesEndingWith(std::string_view ending) const;
};

// NotFound, NotReadable; TooLarge where the folder contains more than `maximum` entries.
Result<Listing> list(const std::filesystem::path& folder, std::uint64_t maximum);

} // namespace wb::huggingface

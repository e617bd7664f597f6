// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <filesystem>
#include <optional>

namespace wb::io {

// System information about a name without opening it for reading.
struct FileStat {
    enum class Type { File, Folder, Link, Other };

    Type type = Type::Other;
    Identity identity;
    std::int64_t accessed = 0; // when it was last read, seconds since 1970; many systems update it once a day
};

// Empty where there is nothing of that name or the system does not specify. `statFile` follows links, `statLink` tells of the link.
std::optional<FileStat> statFile(const std::filesystem::path& path);
std::optional<FileStat> statLink(const std::filesystem::path& path);

} // namespace wb::io

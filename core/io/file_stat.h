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

// Empty where there is nothing of that name or the system does not specify. `statOf` follows links, `linkStatOf` tells of the link.
std::optional<FileStat> statOf(const std::filesystem::path& path);
std::optional<FileStat> linkStatOf(const std::filesystem::path& path);

} // namespace wb::io

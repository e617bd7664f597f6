// SPDX-License-Identifier: MIT
#include "core/io/disk_space.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"

namespace wb::io {

Result<std::uint64_t> freeSpace(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    while (!error && !std::filesystem::exists(at, error) && at.has_relative_path()) at = at.parent_path();
    const auto space = std::filesystem::space(at, error);
    if (error) return cannotRead(baseName(path), error.message());
    return space.available;
}

} // namespace wb::io

// SPDX-License-Identifier: MIT
#include "core/io/small_file.h"

#include "core/io/system/file_stat.h"

namespace wb::io {

std::optional<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t maximum) {
    const auto stat = statLink(path);
    if (!stat || stat->type != FileStat::Type::File || stat->identity.bytes > maximum) return std::nullopt;
    const auto file = FileSource::open(path);
    if (!file || (*file)->size() > maximum) return std::nullopt;
    std::string text((*file)->size(), '\0');
    if (!(*file)->readAt(0, std::as_writable_bytes(std::span(text)))) return std::nullopt;
    return text;
}

} // namespace wb::io

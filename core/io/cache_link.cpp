// SPDX-License-Identifier: MIT
#include "core/io/cache_link.h"

#include "core/io/byte_source.h"

#include <algorithm>

namespace wb::io {
namespace {

bool isBlobName(const std::string& text) {
    const bool hex = std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return hex && text.size() >= 40 && text.size() <= 64;
}

} // namespace

std::optional<std::filesystem::path> cachedBlob(const std::filesystem::path& folder, const std::string& name) {
    std::error_code error;
    const std::filesystem::path relative(std::u8string(name.begin(), name.end()));
    const auto target = std::filesystem::read_symlink(folder / relative, error);
    if (error || !isBlobName(pathText(target.filename()))) return std::nullopt;
    std::filesystem::path root = std::filesystem::absolute(folder, error).lexically_normal();
    if (!root.has_filename()) root = root.parent_path();
    std::filesystem::path ups;
    for (auto at = (root / relative).parent_path(); at != at.root_path(); at = at.parent_path()) {
        ups /= "..";
        if (at.parent_path().filename() != "snapshots") continue;
        if (target != ups / ".." / "blobs" / target.filename()) return std::nullopt;
        return at.parent_path().parent_path() / "blobs" / target.filename();
    }
    return std::nullopt;
}

} // namespace wb::io

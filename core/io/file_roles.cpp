// SPDX-License-Identifier: MIT
#include "core/io/file_roles.h"

#include "core/io/system/file_stat.h"

#include <algorithm>
#include <span>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxEntries = 200'000; // of a folder that are compared one by one

bool isSame(const Identity& a, const Identity& b) { return a.device == b.device && a.inode == b.inode; }

// Whether a path without links or dots is under such a folder.
bool isBeneath(const fs::path& path, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end() && rest != path.end();
}

// Whether a file of the folder, or what a link in it leads to, is this one.
bool hasLinkTo(const fs::path& folder, const Identity& file) {
    std::error_code error;
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end && seen < maxEntries; at.increment(error), ++seen)
        if (const auto entry = statFile(at->path()); entry && entry->type == FileStat::Type::File && isSame(entry->identity, file))
            return true;
    return false;
}

} // namespace

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    const fs::path first = fs::weakly_canonical(a, error);
    return !error && first == fs::weakly_canonical(b, error) && !error;
}

void FileRoles::reads(const fs::path& path) {
    if (!path.empty()) m_read.push_back(path);
}

void FileRoles::reads(const Identity& file) {
    if (file.inode != 0 || file.device != 0) m_files.push_back(file);
}

void FileRoles::writes(const fs::path& path, Output kind) {
    if (!path.empty()) m_written.push_back({path, kind});
}

bool FileRoles::isRead(const Written& output) const {
    if (std::ranges::any_of(m_read, [&](const fs::path& read) { return isSameFile(read, output.path); })) return true;
    const auto own = statFile(output.path);
    if (!own) return false;
    if (std::ranges::any_of(m_files, [&](const Identity& file) { return isSame(file, own->identity); })) return true;
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(output.path, ignored);
    return std::ranges::any_of(m_read, [&](const fs::path& read) {
        if (output.kind == Output::Work || own->type != FileStat::Type::File || !fs::is_directory(read, ignored)) return false;
        return isBeneath(place, fs::weakly_canonical(read, ignored)) || hasLinkTo(read, own->identity);
    });
}

Result<void> FileRoles::check() const {
    for (std::size_t i = 0; i < m_written.size(); ++i) {
        const fs::path& path = m_written[i].path;
        if (isRead(m_written[i]))
            return fail(ErrorCode::Invalid, outputIsInput, About{baseName(path)},
                        WB_TEXT("{} is read here and would be overwritten; choose another name for the output."), pathText(path));
        const auto earlier = std::span(m_written).first(i);
        if (std::ranges::any_of(earlier, [&](const Written& other) { return isSameFile(other.path, path); }))
            return fail(ErrorCode::Invalid, outputTwice, About{baseName(path)},
                        WB_TEXT("{} is specified for two outputs; choose a separate name for each."), pathText(path));
    }
    return {};
}

} // namespace wb::io

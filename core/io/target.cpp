// SPDX-License-Identifier: MIT
#include "core/io/target.h"

#include "core/io/failures.h"

namespace wb::io {

namespace fs = std::filesystem;

bool isTaken(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

bool leadsTo(const fs::path& path, const Identity& file) {
    const auto source = FileSource::open(path);
    return source && (*source)->identity().device == file.device && (*source)->identity().inode == file.inode;
}

Result<void> checkReplaceable(const fs::path& target) {
    std::error_code ignored;
    const fs::file_status status = fs::status(target, ignored);
    if (fs::is_directory(status)) return isFolder(baseName(target));
    const fs::path folder = target.parent_path();
    if (!folder.empty() && !fs::is_directory(folder, ignored))
        return fail(ErrorCode::NotWritable, Reason("io.no_folder"), About{baseName(target)},
                    WB_TEXT("Cannot write {}, because the folder {} does not exist; create it or choose another one."),
                    baseName(target), pathText(folder));
    if (!fs::exists(status) || fs::is_regular_file(status)) return {};
    return fail(ErrorCode::NotWritable, Reason("io.not_replaceable"), About{baseName(target)},
                WB_TEXT("{} is a device or pipe and cannot be replaced by a file; choose another name."), baseName(target));
}

} // namespace wb::io

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace wb::io {

// A small text file that only one process can lock: the journal of a long job, which doubles as the job's lock. The
// system releases it when the process ends, however it ends. On file systems without locks every run gets it. Not thread-safe.
class LockedFile {
public:
    // Opens the file or creates it, and contains it. NotWritable where another run contains it or the folder cannot be written.
    static Result<std::unique_ptr<LockedFile>> open(const std::filesystem::path& path);
    ~LockedFile();
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;

    // The content; of a longer file the first `maxBytes` bytes.
    Result<std::string> read(std::uint64_t maxBytes) const;
    Result<void> truncate(std::uint64_t bytes);
    Result<void> append(std::string_view text); // at the end
    Result<void> flush();                       // the content to the disk; the name is the folder's, see flushFolder()

    // Deletes the file while it is still held, so that no other run can lock it in between.
    void remove();

private:
    explicit LockedFile(std::filesystem::path path) : m_path(std::move(path)) {}

    std::intptr_t m_handle = -1;
    std::filesystem::path m_path;
};

} // namespace wb::io

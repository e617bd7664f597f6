// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace wb::io {

// The reasons of FileRoles::check.
inline constexpr Reason outputIsInput("io.output_is_input");
inline constexpr Reason outputTwice("io.output_twice");

// The files that one command or one page of the window reads and writes. No output may replace a file that is read: not under the
// same name, nor under another spelling, a symbolic or a hard link, nor as a file of a folder that is read. Two outputs need two
// files. Names are compared with the file system each time check() is called. Not thread-safe.
class FileRoles {
public:
    enum class Output : std::uint8_t {
        File, // no file of a folder that is read
        Work, // of a job, which may write a new file into the folder that it reads and continue it later
    };

    // A file, or a folder with all its files. A name that does not exist yet is no output either.
    void reads(const std::filesystem::path& path);
    // A file that was opened, or that an opened model consists of. All zeros (a file of a hub) is ignored.
    void reads(const Identity& file);
    void writes(const std::filesystem::path& path, Output kind = Output::File);

    // Invalid, with one of the reasons above and a sentence that names the output.
    Result<void> check() const;

private:
    struct Written {
        std::filesystem::path path;
        Output kind = Output::File;
    };

    bool isRead(const Written& output) const;

    std::vector<std::filesystem::path> m_read;
    std::vector<Identity> m_files;
    std::vector<Written> m_written;
};

// Whether two names lead to one file, through links or another spelling too; one or both may not exist yet.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace wb::io

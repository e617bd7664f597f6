// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace wb::io {

// A file that is written at given places by several threads and becomes the target only when it is complete. It stays behind when
// the process dies or the work stops, so that the work can continue later. Positional writes, flush and rename are thread-safe.
class PartFile {
public:
    // Creates the file, or opens the one that is there, contains it as LockedFile does and reserves disk space for `bytes` bytes.
    // The content of an existing file stays until something is written; it may be longer until begin(). NotWritable where another
    // run contains it or the folder cannot be written, NoRoom where the disk is full; both leave the existing file unchanged.
    static Result<std::unique_ptr<PartFile>> open(const std::filesystem::path& path, std::uint64_t bytes);

    // Without begin() the destructor undoes open(): a new file is deleted, an existing one gets its former length back.
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    // Deletes a stale part file if the path still is that file (inode and size) and no run contains it. Silent: a failure has no
    // consequences.
    static void removeLeft(const std::filesystem::path& path, std::uint64_t number, std::uint64_t bytes);

    // The same for any regular file of that name.
    static void removeLeft(const std::filesystem::path& path);

    std::uint64_t number() const { return m_number; } // Identity::inode
    Result<void> begin(); // gives the file its `bytes` bytes, new ones zero; to be called before anything is written
    Result<void> writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    Result<void> flush(); // to the disk

    // Flushes, gives the file its name and flushes the folder. Without `replace` a name that is taken at that moment stays with its
    // file, and the result is false; a system that cannot ask and rename in one step asks just before.
    Result<bool> renameTo(const std::filesystem::path& target, bool replace);

private:
    PartFile() = default;

    void rollBack();

    std::intptr_t m_handle = -1;
    std::uint64_t m_number = 0;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_formerBytes = 0; // of a file that was there
    bool m_isNew = false;
    bool m_hasBegun = false;
    std::filesystem::path m_path;
};

} // namespace wb::io

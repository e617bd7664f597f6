// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace wb::io {

// A file that is written at given places by several threads and becomes the target only when it is whole. It stays behind when the
// process dies or the work stops, so that the work can go on later. Positional writes, flush and rename are thread-safe.
class PartFile {
public:
    enum class Former { Keep, Drop }; // what a file that is there holds

    // Creates the file, or opens the one that is there, and holds it as LockedFile does; either way it gets `bytes` bytes, new ones zero.
    // NotWritable where another run holds it, which changes nothing of it, or where the folder cannot be written; NoRoom where the disk
    // is full, which a file that was there outlives.
    static Result<std::unique_ptr<PartFile>> open(const std::filesystem::path& path, std::uint64_t bytes, Former former);
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    Result<void> writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    Result<void> flush();                                         // to the disk
    Result<void> renameTo(const std::filesystem::path& target);   // flushes first, replaces the target, flushes the folder

private:
    PartFile() = default;

    std::intptr_t m_handle = -1;
    std::filesystem::path m_path;
};

} // namespace wb::io

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wb::io {

class OutputFile;

// Writes a file that appears under its name atomically: the bytes go to a temporary file next to the target, `commit`
// brings them to the disk and renames it over the target. Destruction without a successful commit removes the temporary file and
// leaves the target as it was. Not thread-safe.
class AtomicWriter {
public:
    // NotWritable where the folder does not exist or refuses new files, or where the target is something checkReplaceable refuses.
    // All functions fail with it when the disk is full.
    static Result<AtomicWriter> create(const std::filesystem::path& target);
    ~AtomicWriter();
    AtomicWriter(AtomicWriter&&) noexcept;
    AtomicWriter& operator=(AtomicWriter&&) noexcept;

    // Appends; small pieces are gathered to writes of 256 KiB. After a failure every further call fails too.
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> write(std::string_view text) { return write(std::as_bytes(std::span(text))); }

    // Puts the file in place. To be called once, last.
    Result<void> commit();

private:
    AtomicWriter();
    Result<void> flush();
    Result<void> writeThrough(std::span<const std::byte> bytes);

    std::unique_ptr<OutputFile> m_file;
    std::filesystem::path m_target;
    std::vector<std::byte> m_buffer;
};

} // namespace wb::io

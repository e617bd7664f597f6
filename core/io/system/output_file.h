// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace wb::io {

// A new file that is removed again unless it is renamed to its target. Implemented once for each system.
class OutputFile {
public:
    // The file must not exist yet.
    static Result<OutputFile> create(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;

    Result<void> write(std::span<const std::byte> bytes);

    // Flushes the bytes to the disk and renames the file, replacing an existing one.
    Result<void> moveTo(const std::filesystem::path& target);

private:
    OutputFile(std::intptr_t handle, std::filesystem::path path) : m_handle(handle), m_path(std::move(path)) {}

    std::intptr_t m_handle;
    std::filesystem::path m_path; // empty when there is nothing to remove
};

} // namespace wb::io

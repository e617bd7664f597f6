// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wb::io {

// Identifies one state of a file. As far as the system can say, equal identities mean equal bytes.
struct Identity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modifiedNs = 0; // nanoseconds since 1970

    friend bool operator==(const Identity&, const Identity&) = default;
};

// A byte range inside one source. It can only be made by `make`, which proves that it is inside, so a reader that contains an
// Extent may read it without another check.
class Extent {
public:
    Extent() = default; // the empty run at 0

    // Empty if offset + length leaves the source; compared by subtraction, so nothing can wrap.
    static std::optional<Extent> make(std::uint64_t sourceSize, std::uint64_t offset, std::uint64_t length);

    std::uint64_t offset() const { return m_offset; }
    std::uint64_t length() const { return m_length; }
    std::uint64_t end() const { return m_offset + m_length; }

private:
    std::uint64_t m_offset = 0;
    std::uint64_t m_length = 0;
};

// Random access to bytes: a file, a piece of memory, and later a range of an HTTP resource. All functions are thread-safe. The size
// is read once, when the source is opened.
class ByteSource {
public:
    virtual ~ByteSource() = default;

    virtual std::uint64_t size() const = 0;

    // The name of this source in messages: the base name of the file.
    virtual const std::string& name() const = 0;

    // Fills `out` from `offset` or fails; never a partial success. Malformed for a read beyond the end, Changed for a file that
    // shrank since it was opened, NotReadable for a failing disk.
    virtual Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const = 0;

    // Changed if the file after the source differs from the opened one. Succeeds always for sources that cannot change.
    virtual Result<void> checkUnchanged() const { return {}; }
};

// A regular file, read with pread (ReadFile with an offset on Windows), never mapped: a file that shrinks cannot raise SIGBUS.
class FileSource final : public ByteSource {
public:
    // NotFound, NotReadable; devices, pipes and folders are refused.
    static Result<std::shared_ptr<FileSource>> open(const std::filesystem::path& path);
    ~FileSource() override;
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;

    std::uint64_t size() const override { return m_identity.bytes; }
    const std::string& name() const override { return m_name; }
    const Identity& identity() const { return m_identity; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;
    Result<void> checkUnchanged() const override;

private:
    friend class BeneathDirectory;
    FileSource() = default;
    static Result<std::shared_ptr<FileSource>> adopt(std::intptr_t handle, std::string name);

    std::intptr_t m_handle = -1;
    std::string m_name;
    Identity m_identity;
};

// Bytes that are already in memory; for tests, fuzzing and inflated members.
class MemorySource final : public ByteSource {
public:
    MemorySource(std::string name, std::vector<std::byte> bytes) : m_name(std::move(name)), m_bytes(std::move(bytes)) {}

    std::uint64_t size() const override { return m_bytes.size(); }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;

private:
    std::string m_name;
    std::vector<std::byte> m_bytes;
};

// Opens plain relative names beneath one folder and nothing else: a name taken from a file (weight_map, split part) must not point
// outside the model's folder. Refused are absolute names, "." and "..", backslashes, colons, NUL and control characters, components
// above 255 bytes or with a dot or blank at the end, reserved device names and every symbolic link but one kind: the snapshots of
// the Hugging Face cache, whose links point to ../../blobs/<hash> (huggingface/huggingface_hub: file_download.py).
class BeneathDirectory {
public:
    static Result<BeneathDirectory> open(const std::filesystem::path& folder);

    // NotFound, NotReadable, or Malformed where the name itself is not allowed.
    Result<std::shared_ptr<FileSource>> openFile(const std::string& relativeName) const;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

// Whether BeneathDirectory would accept the name; does not access the file system.
bool isPlainRelativeName(std::string_view name);

// The text of a path with '/' between components, for messages and JSON; always valid UTF-8, so it may not name the file.
std::string pathText(const std::filesystem::path& path);

// The last component of a path as text, "model" for both "a/model" and "a/model/".
std::string baseName(const std::filesystem::path& path);

} // namespace wb::io

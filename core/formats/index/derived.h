// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <mutex>

// Inside the room: the sources behind derived files.
namespace wb::formats {

// A source whose numbers of `width` bytes from `start` to `end` are turned round.
class SwappedSource final : public io::ByteSource {
public:
    SwappedSource(std::shared_ptr<const io::ByteSource> source, std::uint64_t begin, std::uint64_t end, std::uint64_t width)
        : m_source(std::move(source)), m_begin(begin), m_end(end), m_width(width) {}

    std::uint64_t size() const override { return m_source->size(); }
    const std::string& name() const override { return m_source->name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override; // whole numbers around what is requested
    Result<void> checkUnchanged() const override { return m_source->checkUnchanged(); }

private:
    std::shared_ptr<const io::ByteSource> m_source;
    std::uint64_t m_begin;
    std::uint64_t m_end;
    std::uint64_t m_width;
};

// Sources one after another as one.
class JoinedSource final : public io::ByteSource {
public:
    explicit JoinedSource(Sources parts); // not empty

    std::uint64_t size() const override { return m_ends.back(); }
    const std::string& name() const override { return m_parts.front()->name(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;
    Result<void> checkUnchanged() const override;

private:
    Sources m_parts;
    std::vector<std::uint64_t> m_ends; // of each part
};

// Bytes that a worker unpacks, a window of at most 32 MiB at a time; the last window stays in memory. Thread-safe.
class UnpackedSource final : public io::ByteSource {
public:
    UnpackedSource(const char* task, std::shared_ptr<const io::ByteSource> packed, std::string name, std::vector<std::byte> spec,
                   std::uint64_t bytes)
        : m_task(task), m_packed(std::move(packed)), m_name(std::move(name)), m_spec(std::move(spec)), m_bytes(bytes) {}

    std::uint64_t size() const override { return m_bytes; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;
    Result<void> checkUnchanged() const override { return m_packed->checkUnchanged(); }

private:
    Result<void> loadWindow(std::uint64_t offset) const;

    const char* m_task;
    std::shared_ptr<const io::ByteSource> m_packed;
    std::string m_name;
    std::vector<std::byte> m_spec;
    std::uint64_t m_bytes;
    mutable std::mutex m_mutex;
    mutable std::uint64_t m_windowBegin = 0;
    mutable std::vector<std::byte> m_window;
};

// The same without a worker.
class UnpackedHere final : public io::ByteSource {
public:
    UnpackedHere(Unpack unpack, std::shared_ptr<const io::ByteSource> packed, std::string name, std::vector<std::byte> spec,
                 std::uint64_t bytes)
        : m_unpack(unpack), m_packed(std::move(packed)), m_name(std::move(name)), m_spec(std::move(spec)), m_bytes(bytes) {}

    std::uint64_t size() const override { return m_bytes; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;

private:
    Unpack m_unpack;
    std::shared_ptr<const io::ByteSource> m_packed;
    std::string m_name;
    std::vector<std::byte> m_spec;
    std::uint64_t m_bytes;
};

} // namespace wb::formats

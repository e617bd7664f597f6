// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <memory>

namespace wb::io {

// A byte range of another source as its own source: a stored member of an archive, a file inside a file. Keeps the other
// source alive. Thread-safe as that one is.
class RangeSource final : public ByteSource {
public:
    // `extent` was made for the size of `whole`.
    RangeSource(std::shared_ptr<const ByteSource> whole, Extent extent, std::string name)
        : m_whole(std::move(whole)), m_extent(extent), m_name(std::move(name)) {}

    std::uint64_t size() const override { return m_extent.length(); }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;
    Result<void> checkUnchanged() const override { return m_whole->checkUnchanged(); }
    const Extent& extent() const { return m_extent; } // in the other source

private:
    std::shared_ptr<const ByteSource> m_whole;
    Extent m_extent;
    std::string m_name;
};

} // namespace wb::io

// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include "core/base/text.h"
#include "core/io/failures.h"

#include <cstring>

namespace wb::io {

std::optional<Extent> Extent::make(std::uint64_t sourceSize, std::uint64_t offset, std::uint64_t length) {
    if (offset > sourceSize || length > sourceSize - offset) return std::nullopt;
    Extent extent;
    extent.m_offset = offset;
    extent.m_length = length;
    return extent;
}

Result<void> MemorySource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!Extent::make(m_bytes.size(), offset, out.size())) return endsEarly(m_name, m_bytes.size(), offset, out.size());
    if (!out.empty()) std::memcpy(out.data(), m_bytes.data() + offset, out.size());
    return {};
}

std::string pathText(const std::filesystem::path& path) {
#ifndef _WIN32
    if (const std::string& own = path.native(); own.find("//") == std::string::npos) return toUtf8(own); // generic as it is
#endif
    const auto text = path.generic_u8string();
    return toUtf8({reinterpret_cast<const char*>(text.data()), text.size()});
}

std::string baseName(const std::filesystem::path& path) {
    const auto name = path.has_filename() ? path.filename() : path.parent_path().filename();
    return pathText(name.empty() ? path : name); // a root has none
}

} // namespace wb::io

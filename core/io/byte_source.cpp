// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include <algorithm>
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
    if (!Extent::make(m_bytes.size(), offset, out.size()))
        return fail(ErrorCode::Malformed, WB_TEXT("{} ends at byte {}, before byte {} that it promises."), m_name, m_bytes.size(),
                    offset + out.size());
    if (!out.empty()) std::memcpy(out.data(), m_bytes.data() + offset, out.size());
    return {};
}

std::string pathText(const std::filesystem::path& path) {
    const auto text = path.generic_u8string();
    return {text.begin(), text.end()};
}

} // namespace wb::io

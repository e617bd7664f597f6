// SPDX-License-Identifier: MIT
#include "core/io/cursor.h"

#include "core/base/counts.h"

namespace wb::io {
namespace {

constexpr std::uint64_t largestWindow = 1 << 20;

} // namespace

std::unexpected<Error> Cursor::endsEarly(std::uint64_t need) const {
    return fail(ErrorCode::Malformed, Reason("io.ends_early"), About{m_source->name()},
                WB_TEXT("{} ends at byte {}, but {} more bytes should follow byte {}; download it again."), m_source->name(),
                grouped(size()), grouped(need), grouped(m_position));
}

Result<void> Cursor::fill(std::uint64_t need) {
    if (need > remaining()) return endsEarly(need);
    const std::uint64_t length = std::min(std::max(need, m_nextWindow), remaining());
    m_window.resize(length);
    m_windowStart = m_position;
    m_nextWindow = std::min(m_nextWindow * 2, largestWindow);
    if (auto read = m_source->readAt(m_position, m_window); !read) {
        m_window.clear();
        return read;
    }
    return {};
}

Result<void> Cursor::read(std::span<std::byte> out) {
    if (out.size() > remaining()) return endsEarly(out.size());
    if (out.size() > largestWindow) {
        WB_TRY(m_source->readAt(m_position, out));
    } else if (!out.empty()) {
        if (!inWindow(out.size())) {
            WB_TRY(fill(out.size()));
        }
        std::memcpy(out.data(), m_window.data() + (m_position - m_windowStart), out.size());
    }
    m_position += out.size();
    return {};
}

} // namespace wb::io

// SPDX-License-Identifier: MIT
#include "core/io/range_source.h"

#include "core/io/failures.h"

namespace wb::io {

Result<void> RangeSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!Extent::make(size(), offset, out.size())) return endsEarly(m_name, size(), offset, out.size());
    return m_whole->readAt(m_extent.offset() + offset, out);
}

} // namespace wb::io

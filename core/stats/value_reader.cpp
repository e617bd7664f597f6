// SPDX-License-Identifier: MIT
#include "core/stats/value_reader.h"

#include "core/stats/elements.h"

namespace wb::stats {

Result<std::span<const double>> ValueReader::read(std::uint64_t first, std::size_t count) {
    const std::uint64_t block = info(m_reader->dtype()).blockElements;
    const std::uint64_t begin = first / block * block;
    const std::uint64_t end = (first + count + block - 1) / block * block;
    m_values.resize(end - begin);
    if (isWide(m_reader->dtype())) {
        m_bytes.resize(m_reader->byteCount(end - begin));
        WB_TRY(m_reader->readRaw(begin, end - begin, m_bytes));
        visitWide(m_reader->dtype(), [&](auto loader) {
            for (std::size_t i = 0; i < m_values.size(); ++i) m_values[i] = static_cast<double>(loader(m_bytes, i));
        });
    } else {
        m_floats.resize(end - begin);
        WB_TRY(m_reader->readF32(begin, m_floats, m_bytes));
        std::ranges::copy(m_floats, m_values.begin());
    }
    return std::span<const double>(m_values).subspan(first - begin, count);
}

} // namespace wb::stats

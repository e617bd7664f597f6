// SPDX-License-Identifier: MIT
#include "core/stats/engine/f32_slab.h"

#include "core/tensor/decode.h"

namespace wb::stats {

F32Slab::F32Slab(const TensorReader& reader) : m_reader(&reader) {
    const std::uint64_t largest = std::min(slabElements, reader.elements());
    const bool stored = reader.dtype() == Dtype::F32;
    m_values.resize(stored ? largest : tileElements);
    m_bytes.resize(stored ? 0 : reader.byteCount(largest));
}

Result<void> F32Slab::read(const Slab& slab) {
    m_first = slab.first;
    m_count = slab.count;
    const auto target = m_bytes.empty() ? std::as_writable_bytes(std::span(m_values)) : std::span(m_bytes);
    return m_reader->readRaw(m_first, m_count, target.first(m_reader->byteCount(m_count)));
}

std::span<const float> F32Slab::tile(std::size_t tile) {
    const std::size_t begin = tile * tileElements;
    const std::size_t count = std::min(tileElements, m_count - begin);
    if (m_bytes.empty()) return std::span(m_values).subspan(begin, count);
    const std::span out = std::span(m_values).first(count);
    decode(m_reader->dtype(), std::span(m_bytes).subspan(m_reader->byteCount(begin), m_reader->byteCount(count)), out);
    return out;
}

} // namespace wb::stats

// SPDX-License-Identifier: MIT
#include "core/stats/map/map_values.h"

#include "core/stats/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

float narrowed(double value) {
    constexpr double largest = std::numeric_limits<float>::max();
    if (!std::isfinite(value)) return static_cast<float>(value);
    return static_cast<float>(std::clamp(value, -largest, largest));
}

} // namespace

MapValues::MapValues(const MapInput& input)
    : m_tensor(input.tensor), m_narrow(!input.minus && !isWide(input.tensor->dtype())), m_values(*input.tensor) {
    if (input.minus) m_minus.emplace(*input.minus);
}

Result<std::span<const float>> MapValues::read(std::uint64_t first, std::size_t count) {
    if (m_narrow) return readNarrow(first, count);
    WB_TRY_ASSIGN(const auto values, m_values.read(first, count));
    m_floats.resize(count);
    if (!m_minus) {
        std::ranges::transform(values, m_floats.begin(), narrowed);
        return m_floats;
    }
    WB_TRY_ASSIGN(const auto minus, m_minus->read(first, count));
    for (std::size_t i = 0; i < count; ++i) m_floats[i] = narrowed(values[i] - minus[i]);
    return m_floats;
}

// Whole blocks are decoded; the caller sees what it asked for.
Result<std::span<const float>> MapValues::readNarrow(std::uint64_t first, std::size_t count) {
    const std::uint64_t block = info(m_tensor->dtype()).blockElements;
    const std::uint64_t begin = first / block * block;
    const std::uint64_t end = (first + count + block - 1) / block * block;
    m_floats.resize(end - begin);
    WB_TRY(m_tensor->readF32(begin, m_floats, m_bytes));
    return std::span<const float>(m_floats).subspan(first - begin, count);
}

} // namespace wb::stats

// SPDX-License-Identifier: MIT
#include "core/quant/whatif/typical_levels.h"

#include "core/tensor/block_parts.h"

#include <algorithm>
#include <cmath>

namespace wb::quant {
namespace {

// The lower of the two in the middle.
double valuesMedian(std::vector<float> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return double{*middle};
}

} // namespace

void TypicalLevels::add(std::span<const std::byte> blocks) {
    const auto facts = blockFacts(m_dtype);
    if (!facts) return;
    const DtypeInfo& type = wb::info(m_dtype);
    const std::size_t groups = type.blockElements / facts->groupElements;
    BlockParts parts;
    for (std::size_t at = 0; at < blocks.size(); at += type.blockBytes) {
        splitBlock(m_dtype, &blocks[at], parts);
        for (std::size_t g = 0; g < groups; ++g) {
            if (!std::isfinite(parts.scales[g]) || parts.scales[g] == 0) continue;
            m_scales.push_back(std::abs(parts.scales[g]));
            if (facts->hasMinimum) m_offsets.push_back(parts.offsets[g]);
        }
    }
}

void TypicalLevels::add(const TypicalLevels& other) {
    m_scales.insert(m_scales.end(), other.m_scales.begin(), other.m_scales.end());
    m_offsets.insert(m_offsets.end(), other.m_offsets.begin(), other.m_offsets.end());
}

std::vector<double> TypicalLevels::levels() const {
    if (m_scales.empty()) return {};
    const double scale = valuesMedian(m_scales);
    const double offset = valuesMedian(m_offsets);
    std::vector<double> levels;
    for (const float level : dtypeLevels(m_dtype)) levels.push_back(double{level} * scale + offset);
    return levels;
}

} // namespace wb::quant

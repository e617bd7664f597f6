// SPDX-License-Identifier: MIT
#include "core/tensor/shape.h"

#include "core/base/checked.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace wb {

std::optional<Shape> Shape::make(std::span<const std::uint64_t> dimensions) {
    if (dimensions.size() > maximumRank) return std::nullopt;
    Shape shape;
    shape.m_dimensions.assign(dimensions.begin(), dimensions.end());
    if (std::ranges::find(dimensions, 0u) != dimensions.end()) {
        shape.m_elements = 0;
        return shape;
    }
    for (const std::uint64_t dimension : dimensions) {
        const auto product = checked::mul(shape.m_elements, dimension);
        if (!product || *product >= std::uint64_t{1} << 63) return std::nullopt;
        shape.m_elements = *product;
    }
    return shape;
}

std::vector<std::uint64_t> Shape::coordinates(std::uint64_t index) const {
    std::vector<std::uint64_t> out(rank());
    for (std::size_t axis = rank(); axis-- > 0;) {
        out[axis] = index % m_dimensions[axis];
        index /= m_dimensions[axis];
    }
    return out;
}

std::string Shape::toString() const { return fmt::format("[{}]", fmt::join(m_dimensions, ", ")); }

} // namespace wb

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wb {

// Dimensions of a tensor, outermost first, as PyTorch prints them, whatever order the file stores. Rank 0 is a scalar with one
// element; a dimension of 0 makes the tensor empty. The number of elements fits 63 bits.
class Shape {
public:
    static constexpr std::size_t maximumRank = 32;

    Shape() = default; // a scalar

    // Empty if the rank is above 32 or the product of the dimensions reaches 2^63. A zero dimension is detected before any
    // multiplication, so that a wrapped product cannot be mistaken for zero.
    static std::optional<Shape> make(std::span<const std::uint64_t> dimensions);
    static std::optional<Shape> make(std::initializer_list<std::uint64_t> dimensions) {
        return make(std::span(dimensions.begin(), dimensions.size()));
    }

    std::size_t rank() const { return m_dimensions.size(); }
    std::uint64_t operator[](std::size_t axis) const { return m_dimensions[axis]; }
    std::span<const std::uint64_t> dimensions() const { return m_dimensions; }
    std::uint64_t elements() const { return m_elements; }

    // The innermost dimension (1 for a scalar) and the number of such rows: how block types and row-wise readers see the tensor.
    std::uint64_t rowLength() const { return m_dimensions.empty() ? 1 : m_dimensions.back(); }
    std::uint64_t rows() const { return rowLength() == 0 ? 0 : m_elements / rowLength(); }

    // Coordinates of the element with this row-major index.
    std::vector<std::uint64_t> coordinates(std::uint64_t index) const;

    // "[4096, 14336]", "[]".
    std::string toString() const;

    friend bool operator==(const Shape& a, const Shape& b) { return a.m_dimensions == b.m_dimensions; }

private:
    std::vector<std::uint64_t> m_dimensions;
    std::uint64_t m_elements = 1;
};

} // namespace wb

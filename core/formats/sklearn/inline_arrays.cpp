// SPDX-License-Identifier: MIT
#include "core/formats/sklearn/inline_arrays.h"

#include "core/base/checked.h"
#include "core/formats/sklearn/array_value.h"
#include "core/tensor/shape.h"

#include <array>

namespace wb::sklearn {

using pickle::Graph;
using pickle::NodeId;

InlineArray inlineArray(const Graph& graph, NodeId object, std::uint64_t position, const io::ByteSource& source) {
    constexpr InlineArray::Kind unknown = InlineArray::Kind::Unknown;
    if (!isJoblibArray(graph, object)) return {};
    const InlineArrays none;
    const ArrayReading reading(graph, none);
    const auto type = reading.dtype(reading.attribute(object, "dtype"));
    const auto sides = reading.shape(reading.attribute(object, "shape"));
    if (!type || !type->isSure) return {unknown, {}, 0};
    if (type->holdsObjects) return {InlineArray::Kind::Objects, {}, 0};
    const auto shape = sides ? Shape::make(*sides) : std::nullopt;
    const auto bytes = shape ? checked::mul(shape->elements(), type->bytes) : std::nullopt;
    if (!bytes) return {unknown, {}, 0};
    std::uint64_t padding = 0;
    const NodeId alignment = reading.attribute(object, "numpy_array_alignment_bytes");
    if (alignment != pickle::unknownNode && !graph.is(alignment, pickle::NodeKind::None)) {
        std::array<std::byte, 1> count{};
        if (!source.readAt(position, count)) return {unknown, {}, 0};
        padding = 1 + std::to_integer<std::uint64_t>(count[0]);
    }
    const auto extent = io::Extent::make(source.size(), position + padding, *bytes);
    if (!extent) return {unknown, {}, 0};
    return {InlineArray::Kind::Values, *extent, padding + *bytes};
}

} // namespace wb::sklearn

// SPDX-License-Identifier: MIT
#include "core/diff/relation.h"

#include "core/convert/gguf/view_recipe.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace wb::diff {
namespace {

using Numbers = std::vector<std::uint64_t>;
using Order = std::vector<std::size_t>;

bool isBlock(Dtype dtype) { return info(dtype).kind == DtypeKind::Block; }

// A tensor with its axes in another order: axis i of the result is axis order[i] of the tensor.
std::optional<TensorInfo> reordered(const TensorInfo& tensor, const Order& order) {
    Numbers strides(order.size(), 1), shape(order.size()), moved(order.size());
    for (std::size_t i = order.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * tensor.shape[i + 1];
    for (std::size_t i = 0; i < order.size(); ++i) shape[i] = tensor.shape[order[i]], moved[i] = strides[order[i]];
    const auto newShape = Shape::make(shape);
    if (!newShape) return std::nullopt;
    TensorInfo view = tensor;
    view.shape = *newShape;
    if (isBlock(tensor.dtype)) view.dtype = Dtype::F32;
    if (tensor.source.form() == TensorSource::Form::Stored && info(tensor.dtype).blockElements == 1)
        view.source = TensorSource::strided(tensor.file(), tensor.offset().value_or(0), std::move(moved), tensor.bytes());
    else
        view.source = TensorSource::recipe(
            std::make_shared<convert::ViewRecipe>(tensor.name, view.dtype, view.shape, 0, std::move(moved)), tensor.bytes());
    return view;
}

// Orders of four axes between frameworks: HWIO, OHWI and OIHW, and depthwise HWC1 and C1HW.
constexpr std::array<std::array<std::size_t, 4>, 6> knownOrders = {
    {{3, 2, 0, 1}, {0, 3, 1, 2}, {2, 3, 1, 0}, {0, 2, 3, 1}, {2, 0, 1, 3}, {2, 3, 0, 1}}};

std::optional<Order> orderBetween(const Shape& a, const Shape& b) {
    if (a.rank() != b.rank()) return std::nullopt;
    const auto leads = [&](const auto& order) {
        for (std::size_t i = 0; i < order.size(); ++i)
            if (b[i] != a[order[i]]) return false;
        return true;
    };
    constexpr std::array<std::size_t, 2> swapped = {1, 0};
    if (a.rank() == 2 && leads(swapped)) return Order(swapped.begin(), swapped.end());
    if (a.rank() != 4) return std::nullopt;
    const auto found = std::ranges::find_if(knownOrders, leads);
    return found == knownOrders.end() ? std::nullopt : std::optional(Order(found->begin(), found->end()));
}

// Elements of a row of the first axis; 0: the tensors differ in more than the number of rows.
std::uint64_t commonRow(const Shape& a, const Shape& b) {
    if (a.rank() != b.rank() || a.rank() == 0) return 0;
    std::uint64_t row = 1;
    for (std::size_t axis = 1; axis < a.rank(); ++axis) {
        if (a[axis] != b[axis]) return 0;
        row *= a[axis];
    }
    return row;
}

std::uint64_t shapeUnit(const Shape& shape) {
    constexpr std::uint64_t largestUnit = 1 << 24;
    const std::uint64_t row = std::max<std::uint64_t>(shape.rowLength(), 1);
    return row <= largestUnit ? row : 1;
}

Run tensorInfoRun(const TensorInfo& a, const TensorInfo& b, std::uint64_t elements) {
    Run run;
    run.a = {0, a, 0};
    run.b = {1, b, 0};
    run.elements = elements;
    run.unit = a.shape == b.shape ? shapeUnit(b.shape) : 1;
    run.locate = [name = b.name, shape = b.shape](std::uint64_t element) { return Location{name, shape.coordinates(element)}; };
    return run;
}

} // namespace

std::vector<TensorInfo> otherLayouts(const TensorInfo& tensor) {
    std::vector<Order> orders;
    if (tensor.shape.rank() == 2) orders.push_back({1, 0});
    if (tensor.shape.rank() == 4)
        for (const auto& order : knownOrders) orders.emplace_back(order.begin(), order.end());
    std::vector<TensorInfo> views;
    for (const Order& order : orders)
        if (auto view = reordered(tensor, order)) views.push_back(*std::move(view));
    return views;
}

std::vector<std::uint64_t> withoutOnes(const Shape& shape) {
    std::vector<std::uint64_t> dimensions;
    for (const std::uint64_t dimension : shape.dimensions())
        if (dimension != 1) dimensions.push_back(dimension);
    return dimensions;
}

void addType(Dtype a, Dtype b, Mappings& mappings) {
    if (a == b) return;
    mappings.push_back(a == Dtype::Unknown || isBlock(a) || isBlock(b) ? Mapping::Dequantized : Mapping::Cast);
}

std::optional<PlannedPair> relate(const TensorInfo& a, const TensorInfo& b, Fit fit) {
    PlannedPair planned;
    planned.pair.a = {a.name};
    planned.pair.b = {b.name};
    Mappings& mapping = planned.pair.mapping;
    addType(a.dtype, b.dtype, mapping);
    TensorInfo view = a;
    std::uint64_t elements = b.shape.elements();
    if (a.shape == b.shape) {
    } else if (withoutOnes(a.shape) == withoutOnes(b.shape) || (fit == Fit::Flat && a.shape.elements() == b.shape.elements())) {
        mapping.push_back(Mapping::Reshaped);
    } else if (fit == Fit::Shape || fit == Fit::Flat) {
        return std::nullopt;
    } else if (const auto order = orderBetween(a.shape, b.shape)) {
        const auto moved = reordered(a, *order);
        if (!moved) return std::nullopt;
        view = *moved;
        mapping.push_back(a.shape.rank() == 2 ? Mapping::Transposed : Mapping::Axes);
    } else if (const std::uint64_t row = commonRow(a.shape, b.shape); row > 0) {
        elements = std::min(a.shape[0], b.shape[0]) * row;
        mapping.push_back(Mapping::Padded);
    } else if (fit == Fit::SameName && a.shape.elements() == b.shape.elements()) {
        mapping.push_back(Mapping::Reshaped);
    } else {
        return std::nullopt;
    }
    planned.pair.elements = elements;
    planned.runs.push_back(tensorInfoRun(view, b, elements));
    return planned;
}

std::optional<PlannedPair> relateParts(const std::vector<const TensorInfo*>& a, const std::vector<const TensorInfo*>& b) {
    const auto count = [](const auto& tensors) {
        return std::accumulate(tensors.begin(), tensors.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const TensorInfo* tensor) { return sum + tensor->shape.elements(); });
    };
    if (a.empty() || b.empty() || (a.size() > 1 && b.size() > 1) || count(a) != count(b)) return std::nullopt;
    PlannedPair planned;
    for (const TensorInfo* tensor : a) planned.pair.a.push_back(tensor->name);
    for (const TensorInfo* tensor : b) planned.pair.b.push_back(tensor->name);
    addType(a.front()->dtype, b.front()->dtype, planned.pair.mapping);
    if (b.size() > 1) planned.pair.mapping.push_back(Mapping::Split);
    else if (a.size() > 1)
        planned.pair.mapping.push_back(a.front()->shape.rank() < b.front()->shape.rank() ? Mapping::Stacked : Mapping::Fused);
    std::uint64_t at = 0;
    for (const TensorInfo* part : a.size() > 1 ? a : b) {
        const std::uint64_t elements = part->shape.elements();
        Run run = a.size() > 1 ? tensorInfoRun(*part, *b.front(), elements) : tensorInfoRun(*a.front(), *part, elements);
        (a.size() > 1 ? run.b : run.a).first = at;
        if (a.size() > 1)
            run.locate = [name = b.front()->name, shape = b.front()->shape, at](std::uint64_t element) {
                return Location{name, shape.coordinates(at + element)};
            };
        planned.pair.elements += elements;
        planned.runs.push_back(std::move(run));
        at += elements;
    }
    return planned;
}

} // namespace wb::diff

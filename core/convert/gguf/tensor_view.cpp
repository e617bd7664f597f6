// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_view.h"

#include "core/convert/gguf/view_recipe.h"

#include <algorithm>

namespace wb::convert {
namespace {

using Numbers = std::vector<std::uint64_t>;

// Shape, strides and first element of a view.
struct Axes {
    Numbers shape;
    Numbers strides;
    std::uint64_t first = 0;
};

// Those of the whole tensor.
Axes shapeAxes(const Shape& shape) {
    Axes axes;
    const auto dimensions = shape.dimensions();
    axes.shape.assign(dimensions.begin(), dimensions.end());
    axes.strides.resize(axes.shape.size());
    std::uint64_t stride = 1;
    for (std::size_t i = axes.shape.size(); i-- > 0; stride *= axes.shape[i]) axes.strides[i] = stride;
    return axes;
}

// Every second element of an axis, from `first` on.
void takeAlternate(Axes& axes, std::size_t axis, std::uint64_t first) {
    axes.first += first * axes.strides[axis];
    axes.shape[axis] /= 2;
    axes.strides[axis] *= 2;
}

void takeHalf(Axes& axes, std::size_t axis, std::uint64_t half) {
    axes.shape[axis] /= 2;
    axes.first += half * axes.shape[axis] * axes.strides[axis];
}

// Whether the shape has the axes that the transform divides.
bool fits(const Shape& shape, Transform transform, const ViewSizes& sizes) {
    const std::size_t rank = shape.rank();
    switch (transform) {
    case Transform::Column: return rank == 1;
    case Transform::ByGroup: return rank == 1 && sizes.groups > 0 && shape[0] % sizes.groups == 0;
    case Transform::LatentKeys:
    case Transform::LatentValues:
        return rank == 2 && sizes.heads > 0 && shape[0] % sizes.heads == 0 && sizes.keys < shape[0] / sizes.heads;
    case Transform::LeadingAxis: return rank == 3;
    case Transform::IndexerQueries:
    case Transform::IndexerKeys: return rank == 2 && sizes.indexer > 0 && sizes.indexer < shape[0];
    case Transform::TransposeEach: return rank == 3;
    case Transform::TransposedFirstHalf:
    case Transform::TransposedSecondHalf: return rank == 3 && shape[2] % 2 == 0;
    case Transform::Transpose: return rank == 2;
    case Transform::Squeeze: return shape.elements() > 0;
    case Transform::CutRows: return rank == 2 && sizes.rows <= shape[0];
    case Transform::FirstHalf:
    case Transform::SecondHalf: return rank >= 2 && shape[rank - 2] % 2 == 0;
    case Transform::EvenColumns:
    case Transform::OddColumns: return rank >= 1 && shape[rank - 1] % 2 == 0;
    default: return rank >= 3 && shape[1] % 2 == 0;
    }
}

// The last axis stays, whatever its length.
void squeeze(Axes& axes) {
    Axes kept{{}, {}, axes.first};
    for (std::size_t i = 0; i < axes.shape.size(); ++i)
        if (axes.shape[i] != 1 || i + 1 == axes.shape.size()) {
            kept.shape.push_back(axes.shape[i]);
            kept.strides.push_back(axes.strides[i]);
        }
    axes = std::move(kept);
}

// Each head has the rows of keys, then those of values.
void takeLatent(Axes& axes, const ViewSizes& sizes, bool isKeys) {
    const std::uint64_t each = axes.shape[0] / sizes.heads, rank = axes.shape[1];
    if (isKeys) axes = {{sizes.heads, rank, sizes.keys}, {each * rank, 1, rank}, 0};
    else axes = {{sizes.heads, each - sizes.keys, rank}, {each * rank, rank, 1}, sizes.keys * rank};
}

void transposeEach(Axes& axes) {
    std::swap(axes.shape[1], axes.shape[2]);
    std::swap(axes.strides[1], axes.strides[2]);
}

void apply(Axes& axes, Transform transform, const ViewSizes& sizes) {
    const std::size_t rank = axes.shape.size();
    switch (transform) {
    case Transform::Column: axes = {{axes.shape[0], 1}, {1, 1}, 0}; return;
    case Transform::ByGroup: axes = {{sizes.groups, axes.shape[0] / sizes.groups}, {axes.shape[0] / sizes.groups, 1}, 0}; return;
    case Transform::LatentKeys: return takeLatent(axes, sizes, true);
    case Transform::LatentValues: return takeLatent(axes, sizes, false);
    case Transform::TransposeEach: return transposeEach(axes);
    case Transform::TransposedFirstHalf: transposeEach(axes); return takeHalf(axes, 1, 0);
    case Transform::TransposedSecondHalf: transposeEach(axes); return takeHalf(axes, 1, 1);
    case Transform::Transpose:
        std::swap(axes.shape[0], axes.shape[1]);
        std::swap(axes.strides[0], axes.strides[1]);
        return;
    case Transform::Squeeze: return squeeze(axes);
    case Transform::LeadingAxis:
        axes.shape.insert(axes.shape.begin(), 1);
        axes.strides.insert(axes.strides.begin(), 0);
        return;
    case Transform::IndexerQueries: axes.shape[0] = sizes.indexer; return;
    case Transform::IndexerKeys:
        axes.shape[0] -= sizes.indexer;
        axes.first += sizes.indexer * axes.strides[0];
        return;
    case Transform::CutRows: axes.shape[0] = sizes.rows; return;
    case Transform::FirstHalf: return takeHalf(axes, rank - 2, 0);
    case Transform::SecondHalf: return takeHalf(axes, rank - 2, 1);
    case Transform::EvenColumns: return takeAlternate(axes, rank - 1, 0);
    case Transform::OddColumns: return takeAlternate(axes, rank - 1, 1);
    case Transform::RepackEvenRows: return takeAlternate(axes, 1, 0);
    case Transform::RepackOddRows: return takeAlternate(axes, 1, 1);
    default: return;
    }
}

} // namespace

bool needsView(Transform transform) { return transform >= Transform::Transpose && transform != Transform::Repack; }

Result<TensorInfo> transformedView(const TensorInfo& source, Transform transform, const ViewSizes& sizes) {
    if (!fits(source.shape, transform, sizes))
        return fail(ErrorCode::Unsupported, Reason("convert.view"), About{source.name},
                    WB_TEXT("The tensor {} of shape {} is stored in a layout that cannot be converted."), source.name,
                    source.shape.toString());
    Axes axes = shapeAxes(source.shape);
    apply(axes, transform, sizes);
    TensorInfo view = source;
    view.shape = *Shape::make(axes.shape);
    if (source.source.form() != TensorSource::Form::Stored || info(source.dtype).blockElements != 1) {
        if (info(source.dtype).blockElements != 1) view.dtype = Dtype::F32;
        view.source = TensorSource::recipe(
            std::make_shared<ViewRecipe>(source.name, view.dtype, view.shape, axes.first, std::move(axes.strides)), source.bytes());
        return view;
    }
    const std::uint64_t element = info(source.dtype).blockBytes;
    view.source = TensorSource::strided(source.file(), source.offset().value_or(0) + axes.first * element, std::move(axes.strides),
                                        view.shape.elements() * element);
    return view;
}

} // namespace wb::convert

// SPDX-License-Identifier: MIT
#include "core/formats/training/assemble.h"

#include "core/formats/training/box_recipe.h"

#include <algorithm>

namespace wb::training {
namespace {

TensorSource doNotFit() { return TensorSource::unavailable("training.boxes", WB_TEXT("its pieces overlap or leave holes")); }

// Whether the chunk has whole rows: its elements are consecutive ones of the tensor.
bool hasWholeRows(const TensorInfo& chunk, const PlacedChunk& place, const Shape& shape) {
    for (std::size_t axis = 1; axis < shape.rank(); ++axis)
        if (place.offsets[axis] != 0 || chunk.shape[axis] != shape[axis]) return false;
    return chunk.source.form() == TensorSource::Form::Stored && chunk.offset();
}

TensorSource asPieces(const Model& model, const Shape& shape, std::span<const PlacedChunk> chunks) {
    std::vector<const PlacedChunk*> order;
    for (const PlacedChunk& chunk : chunks) order.push_back(&chunk);
    std::ranges::sort(order, {}, [&](const PlacedChunk* chunk) { return shape.rank() == 0 ? 0 : chunk->offsets[0]; });
    std::uint64_t row = 0, bytes = 0;
    std::vector<TensorPiece> pieces;
    for (const PlacedChunk* chunk : order) {
        const TensorInfo& tensor = model.tensors[chunk->tensor];
        if (shape.rank() == 0 ? !pieces.empty() : chunk->offsets[0] != row) return doNotFit();
        if (shape.rank() != 0) row += tensor.shape[0]; // at most the elements of all chunks, which are in files
        pieces.push_back({tensor.file(), *tensor.offset(), tensor.shape.elements()});
        bytes += tensor.bytes();
    }
    if (shape.rank() != 0 ? row != shape[0] : pieces.size() != 1) return doNotFit();
    if (pieces.size() == 1) return TensorSource::stored(pieces[0].file, pieces[0].offset, bytes);
    return TensorSource::pieces(std::move(pieces), bytes);
}

} // namespace

TensorSource assemble(const Model& model, Dtype dtype, const Shape& shape, std::span<const PlacedChunk> chunks) {
    std::vector<BoxInput> inputs;
    std::vector<Box> boxes;
    std::uint64_t bytes = 0;
    bool isPlain = true;
    for (const PlacedChunk& chunk : chunks) {
        const TensorInfo& tensor = model.tensors[chunk.tensor];
        if (chunk.offsets.size() != shape.rank() || tensor.shape.rank() != shape.rank())
            return TensorSource::unavailable("training.boxes", WB_TEXT("its pieces have another number of axes"));
        isPlain = isPlain && hasWholeRows(tensor, chunk, shape);
        bytes += tensor.bytes();
        const auto sizes = tensor.shape.dimensions();
        boxes.push_back({static_cast<std::uint32_t>(inputs.size()),
                         std::vector<std::uint64_t>(shape.rank()),
                         chunk.offsets,
                         {sizes.begin(), sizes.end()}});
        inputs.push_back({tensor.name, tensor.shape});
    }
    if (isPlain && shape.elements() != 0) return asPieces(model, shape, chunks);
    auto recipe = BoxRecipe::make(dtype, shape, std::move(inputs), std::move(boxes));
    if (!recipe) return TensorSource::unavailable(recipe.error().reason, recipe.error().message());
    return TensorSource::recipe(std::move(*recipe), bytes);
}

} // namespace wb::training

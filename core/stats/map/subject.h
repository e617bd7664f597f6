// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/stats/contents/tensor_pass.h"
#include "core/stats/stored_block.h"
#include "core/stats/map/difference.h"
#include "core/stats/map/largest.h"
#include "core/stats/map/map.h"
#include "core/stats/stats.h"

// What workers do for the pictures of one tensor. Everything is stored by value, so that a request may outlive the view that made
// it.
namespace wb::stats {

// A tensor that another one is compared with, of the same model or not.
struct OtherTensor {
    ModelPtr model;
    std::uint32_t tensor = 0;

    const TensorInfo& info() const { return model->tensors[tensor]; }
    friend bool operator==(const OtherTensor&, const OtherTensor&) = default;
};

// What is inspected: one matrix of a tensor, or its difference from the same matrix of another.
struct MapSubject {
    ModelPtr model;
    std::uint32_t tensor = 0;
    std::optional<OtherTensor> minus;
    std::uint64_t slice = 0;
    std::shared_ptr<TensorPass> pass = {}; // of the tensor, whose bytes it keeps; null: the tensor is read from its files

    const TensorInfo& info() const { return model->tensors[tensor]; }
    // Whether the other tensor is the original of this one: it has more bits an element. Errors are relative to the original, as
    // everywhere else, whichever of the two is inspected.
    bool isOtherOriginal() const;
    Matrix matrix() const { return sliceMatrix(info().shape, slice); }
};

using MapPtr = std::shared_ptr<const TensorMap>;
using GridPtr = std::shared_ptr<const MapGrid>;

Result<MapPtr> buildMap(MapBackend& backend, const MapSubject& subject, const Progress& progress);

// A part of the subject, read nearer than its map is.
struct MapDetail {
    GridPtr shown;
    GridPtr own, other; // the elements of both tensors, where the difference of two is shown element by element; else null
};
// Parts of `known` for the same subject are reused.
Result<MapDetail> readDetail(const MapSubject& subject, const MatrixRegion& region, std::uint32_t cell, const MapDetail& known,
                             const Progress& progress);

// One element with its block, and the same of the other tensor where there is one.
struct ElementLook {
    StoredBlock own;
    std::optional<StoredBlock> other;
};
Result<ElementLook> lookAt(const MapSubject& subject, std::uint64_t row, std::uint64_t column);
Result<std::vector<TopElement>> findLargest(const MapSubject& subject, const MapPtr& map, const Progress& progress);
Result<Difference> compareSubject(const MapSubject& subject, unsigned threads, const Progress& progress);

} // namespace wb::stats

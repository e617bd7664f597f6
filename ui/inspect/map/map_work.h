// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/stats/stored_block.h"
#include "core/stats/codes.h"
#include "core/stats/map/difference.h"
#include "core/stats/map/largest.h"
#include "core/stats/map/map.h"
#include "core/stats/stats.h"

// What workers do for the pictures of one tensor. Everything is held by value, so that a request may outlive the view that made it.
namespace wb::ui::inspect {

// A tensor that another one is compared with, of the same model or not.
struct OtherTensor {
    ModelPtr model;
    std::uint32_t tensor = 0;

    const TensorInfo& info() const { return model->tensors[tensor]; }
    friend bool operator==(const OtherTensor&, const OtherTensor&) = default;
};

// What is looked at: one matrix of a tensor, or its difference from the same matrix of another.
struct MapSubject {
    ModelPtr model;
    std::uint32_t tensor = 0;
    std::optional<OtherTensor> minus;
    std::uint64_t slice = 0;

    const TensorInfo& info() const { return model->tensors[tensor]; }
    // Whether the other tensor is the original of this one: it has more bits an element. Errors are relative to the original, as
    // everywhere else, whichever of the two is looked at.
    bool isOtherOriginal() const;
    stats::Matrix matrix() const { return stats::matrixOf(info().shape, slice); }
};

using MapPtr = std::shared_ptr<const stats::TensorMap>;
using GridPtr = std::shared_ptr<const stats::MapGrid>;

Result<MapPtr> buildMap(stats::MapBackend& backend, const MapSubject& subject, const Progress& progress);

// A part of the subject, read nearer than its map is.
struct Detail {
    GridPtr shown;
    GridPtr own, other; // the elements of both tensors, where the difference of two is shown element by element; else null
};
// What `known` holds of the same subject is not read again.
Result<Detail> readDetail(const MapSubject& subject, const stats::MatrixRegion& region, std::uint32_t cell, const Detail& known,
                          const Progress& progress);

// One element with its block, and the same of the other tensor where there is one.
struct ElementLook {
    stats::StoredBlock own;
    std::optional<stats::StoredBlock> other;
};
Result<ElementLook> lookAt(const MapSubject& subject, std::uint64_t row, std::uint64_t column);
Result<std::vector<stats::TopElement>> findLargest(const MapSubject& subject, const MapPtr& map, const Progress& progress);
Result<stats::Difference> compareSubject(const MapSubject& subject, unsigned threads, const Progress& progress);

// Finely binned statistics and, of block types, how codes are used.
struct DistributionFacts {
    std::shared_ptr<const stats::TensorStats> stats;
    std::shared_ptr<const stats::CodeStats> codes; // null for other types
};
Result<DistributionFacts> findDistribution(stats::Backend& backend, const ModelPtr& model, std::uint32_t tensor, unsigned threads,
                                           const Progress& progress);

} // namespace wb::ui::inspect

// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/model/tensor_reader.h"
#include "core/stats/map/matrix.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

// Overview maps of a matrix: grids of cells with absmax, mean and rms of each, from 8 x 8 elements a cell up to one cell for the
// whole matrix, so that a heat map at any zoom needs about as many cells as it has pixels (docs/reference/statistics.md, "Heat
// map").
namespace wb::stats {

// What is mapped: the elements of a tensor, or their differences from another tensor of equal shape.
struct MapInput {
    const TensorReader* tensor = nullptr;
    const TensorReader* minus = nullptr; // null: the elements themselves
};

// Cells of `cell` x `cell` elements over one region, row-major; those at the far edges hold fewer elements. absmax, mean and rms
// are over finite elements and NaN where a cell has none. `nan` and `inf` count the others; they are empty where all elements are
// finite.
struct MapGrid {
    std::uint32_t cell = 1;
    MatrixRegion region;
    std::vector<float> absmax, mean, rms;
    std::vector<std::uint32_t> nan, inf;

    std::uint64_t rows() const { return (region.rows + cell - 1) / cell; }
    std::uint64_t columns() const { return (region.columns + cell - 1) / cell; }
    std::uint64_t cellElements(std::uint64_t row, std::uint64_t column) const; // of one cell, finite or not
    std::uint64_t bytes() const;
};

// Along one axis of the matrix, one entry a row or column over its finite elements; NaN if none exists.
struct Profile {
    std::vector<float> absmax, rms;
};

struct TensorMap {
    Matrix matrix;
    std::vector<MapGrid> levels; // finest first, each with twice the cell of the one before, until one cell is left
    Profile rows, columns;       // empty where the axis is longer than profileCap
    float absmax = 0;            // over finite elements
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::optional<Problem> note = {}; // why another device than the chosen one built it

    std::uint64_t bytes() const;
};

// The finest cell of a map is 8 x 8, or the next power of two at which the levels stay below mapBytesCap.
inline constexpr std::uint32_t finestMapCell = 8;
inline constexpr std::uint64_t mapBytesCap = std::uint64_t{48} << 20;
inline constexpr std::uint64_t profileCap = std::uint64_t{1} << 20;
std::uint32_t finestCell(const Matrix& matrix);

// Builds maps: the SIMD engine of this room, or a shader twin. Implementations are thread-safe, stream slabs of some MiB through
// the readers, count bytes of progress, and stop within 100 ms. Values beyond f32 count as its largest finite ones; complex
// elements as their magnitudes.
class MapBackend {
public:
    virtual ~MapBackend() = default;
    virtual const char* name() const = 0;
    virtual Result<TensorMap> build(const MapInput& input, const Matrix& matrix, const Progress& progress) = 0;
};

// The result does not depend on the threads (0: as many as the machine has), bit for bit.
std::unique_ptr<MapBackend> makeCpuMapBackend(unsigned threads = 0);

// One grid over a part of the matrix, finer than the map: only the rows and columns of the region are read. With a cell of 1 `mean`
// holds the elements themselves, also those that are not finite, and the other lists are empty. The region must are inside the
// matrix and hold at most 2^26 cells. Cells that `known`, another grid of the same matrix with the same cell size, already holds
// are copied from it: scrolling reads only new cells.
Result<MapGrid> readGrid(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell,
                         const Progress& progress, const MapGrid* known = nullptr);

// The same cells at twice the size.
MapGrid coarser(const MapGrid& fine);

// The readable reference: one thread, plain loops over single elements. For tests.
Result<TensorMap> buildMapScalar(const MapInput& input, const Matrix& matrix);

} // namespace wb::stats

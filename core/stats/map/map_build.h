// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"

// Inside the room: the SIMD engine behind MapBackend and readGrid.
namespace wb::stats {

struct BuiltGrid {
    MapGrid grid;
    Profile rows, columns; // of the region; empty unless wanted
};

Result<BuiltGrid> buildGrid(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell,
                            bool profiles, unsigned threads, const Progress& progress);

// Refuses tensors that cannot be compared, and matrices that leave the tensor.
Result<void> checkInput(const MapInput& input, const Matrix& matrix);

// The finest grid with its profiles made into a map of all levels.
TensorMap assembleMap(const Matrix& matrix, BuiltGrid finest);

} // namespace wb::stats

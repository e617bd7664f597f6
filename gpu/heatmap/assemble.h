// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map_build.h"
#include "gpu/heatmap/band.h"

namespace wb::gpu {

// Gathers the sums of bands, in order from the top, into the finest grid and the profiles of a matrix.
class MapAssembler {
public:
    MapAssembler(const stats::Matrix& matrix, std::uint32_t cell);

    // `first` is the band's first row, a multiple of the cell.
    void add(std::uint64_t first, std::uint64_t rows, const BandSums& sums);
    stats::BuiltGrid finish() &&;

private:
    struct Line {
        float absmax = 0;
        double squares = 0;
        std::uint64_t bad = 0;

        void add(const RectangleSums& sums);
    };
    static stats::Profile assembleProfile(const std::vector<Line>& lines, std::uint64_t across);
    void takeCell(std::uint64_t at, std::uint64_t elements, const RectangleSums& sums);

    stats::Matrix m_matrix;
    stats::MapGrid m_grid;
    std::vector<Line> m_rows, m_columns; // empty where the axis is longer than profileCap
};

} // namespace wb::gpu

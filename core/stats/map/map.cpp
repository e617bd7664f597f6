// SPDX-License-Identifier: MIT
#include "core/stats/map/map.h"

#include "core/stats/map/map_build.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

std::uint64_t cellsAlong(std::uint64_t elements, std::uint64_t cell) { return elements / cell + (elements % cell != 0); }

// The sums of the up to four finer cells that make a coarser one.
struct Merged {
    float absmax = 0;
    double sum = 0, squares = 0;
    std::uint64_t finite = 0;
    std::uint32_t nan = 0, inf = 0;

    void add(const MapGrid& fine, std::uint64_t row, std::uint64_t column) {
        const std::uint64_t at = row * fine.columns() + column;
        const std::uint32_t badNan = fine.nan.empty() ? 0 : fine.nan[at];
        const std::uint32_t badInf = fine.inf.empty() ? 0 : fine.inf[at];
        nan += badNan;
        inf += badInf;
        const std::uint64_t count = fine.cellElements(row, column) - badNan - badInf;
        if (count == 0) return;
        finite += count;
        absmax = std::max(absmax, fine.absmax[at]);
        sum += double{fine.mean[at]} * static_cast<double>(count);
        squares += double{fine.rms[at]} * double{fine.rms[at]} * static_cast<double>(count);
    }
};

class CpuMapBackend final : public MapBackend {
public:
    explicit CpuMapBackend(unsigned threads) : m_threads(threads) {}
    const char* name() const override { return "cpu"; }

    Result<TensorMap> build(const MapInput& input, const Matrix& matrix, const Progress& progress) override {
        WB_TRY(checkInput(input, matrix));
        if (matrix.elements() == 0) return TensorMap{matrix, {}, {}, {}, 0, 0, 0};
        const MatrixRegion all{0, 0, matrix.rows, matrix.columns};
        WB_TRY_ASSIGN(auto finest, buildGrid(input, matrix, all, finestCell(matrix), true, m_threads, progress));
        WB_TRY(input.tensor->checkUnchanged());
        if (input.minus) WB_TRY(input.minus->checkUnchanged());
        return assembleMap(matrix, std::move(finest));
    }

private:
    unsigned m_threads;
};

std::uint64_t profileBytes(const Profile& profile) { return (profile.absmax.size() + profile.rms.size()) * sizeof(float); }

} // namespace

std::uint64_t MapGrid::cellElements(std::uint64_t row, std::uint64_t column) const {
    return std::min<std::uint64_t>(cell, region.rows - row * cell) * std::min<std::uint64_t>(cell, region.columns - column * cell);
}

std::uint64_t MapGrid::bytes() const {
    return (absmax.size() + mean.size() + rms.size()) * sizeof(float) + (nan.size() + inf.size()) * sizeof(std::uint32_t);
}

std::uint64_t TensorMap::bytes() const {
    std::uint64_t sum = profileBytes(rows) + profileBytes(columns);
    for (const MapGrid& level : levels) sum += level.bytes();
    return sum;
}

std::uint32_t finestCell(const Matrix& matrix) {
    constexpr std::uint64_t bytesACell = 27; // three f32 and two counts, and a third more for the coarser levels
    std::uint32_t cell = finestMapCell;
    while (cellsAlong(matrix.rows, cell) > mapBytesCap / bytesACell / cellsAlong(matrix.columns, cell) && cell < (1u << 31))
        cell *= 2;
    return cell;
}

MapGrid coarser(const MapGrid& fine) {
    MapGrid coarse;
    coarse.cell = fine.cell * 2;
    coarse.region = fine.region;
    const std::uint64_t cells = coarse.rows() * coarse.columns();
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    coarse.absmax.assign(cells, none);
    coarse.mean.assign(cells, none);
    coarse.rms.assign(cells, none);
    coarse.nan.resize(fine.nan.empty() ? 0 : cells);
    coarse.inf.resize(fine.inf.empty() ? 0 : cells);
    for (std::uint64_t at = 0; at < cells; ++at) {
        const std::uint64_t row = at / coarse.columns() * 2, column = at % coarse.columns() * 2;
        Merged merged;
        for (std::uint64_t r = row; r < std::min(row + 2, fine.rows()); ++r)
            for (std::uint64_t c = column; c < std::min(column + 2, fine.columns()); ++c) merged.add(fine, r, c);
        if (!coarse.nan.empty()) {
            coarse.nan[at] = merged.nan;
            coarse.inf[at] = merged.inf;
        }
        if (merged.finite == 0) continue;
        const auto n = static_cast<double>(merged.finite);
        coarse.absmax[at] = merged.absmax;
        coarse.mean[at] = static_cast<float>(merged.sum / n);
        coarse.rms[at] = static_cast<float>(std::sqrt(merged.squares / n));
    }
    return coarse;
}

Result<void> checkInput(const MapInput& input, const Matrix& matrix) {
    const TensorReader& tensor = *input.tensor;
    if (matrix.rows != 0 && (matrix.first > tensor.elements() || matrix.columns > (tensor.elements() - matrix.first) / matrix.rows))
        return fail(ErrorCode::Internal, Reason("stats.map_region"),
                    WB_TEXT("A heat map requested elements that the tensor does not have."));
    if (input.minus && input.minus->shape() != tensor.shape())
        return fail(ErrorCode::Invalid, Reason("stats.shapes_differ"),
                    WB_TEXT("Only tensors with the same shape can be compared; these are {} and {}."), tensor.shape().toString(),
                    input.minus->shape().toString());
    return {};
}

TensorMap assembleMap(const Matrix& matrix, BuiltGrid finest) {
    TensorMap map;
    map.matrix = matrix;
    map.rows = std::move(finest.rows);
    map.columns = std::move(finest.columns);
    map.levels.push_back(std::move(finest.grid));
    while (map.levels.back().mean.size() > 1) map.levels.push_back(coarser(map.levels.back()));
    const MapGrid& whole = map.levels.back();
    map.absmax = std::isnan(whole.absmax[0]) ? 0 : whole.absmax[0];
    for (const std::uint32_t count : map.levels.front().nan) map.nan += count;
    for (const std::uint32_t count : map.levels.front().inf) map.inf += count;
    return map;
}

std::unique_ptr<MapBackend> makeCpuMapBackend(unsigned threads) { return std::make_unique<CpuMapBackend>(threads); }

} // namespace wb::stats

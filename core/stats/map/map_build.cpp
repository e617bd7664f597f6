// SPDX-License-Identifier: MIT
#include "core/stats/map/map_build.h"

#include "core/jobs/thread_pool.h"
#include "core/stats/map/map_kernels.h"
#include "core/stats/map/map_values.h"
#include "core/stats/ordered_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

namespace wb::stats {
namespace {

constexpr std::uint64_t columnsAtOnce = 65'536;   // width of a strip
constexpr std::uint64_t elementsAtOnce = 131'072; // of one read
constexpr float none = std::numeric_limits<float>::quiet_NaN();

// One row of cells over some neighboring columns: the unit of work.
struct Strip {
    std::uint64_t index;
    std::uint64_t row, rows; // elements, from the top left of the region
    std::uint64_t column, columns;
};

// One worker and the sums of its current strip, one entry a column or row of elements.
class StripWorker {
public:
    StripWorker(const MapInput& input, const Matrix& matrix, const MatrixRegion& region)
        : m_values(input), m_matrix(matrix), m_region(region) {}

    std::vector<float> absmax;
    std::vector<double> sum, squares;
    std::vector<std::uint32_t> nan, inf; // by column; zeros where `bad` is false
    std::vector<RowSums> rows;
    std::vector<std::uint32_t> badInRow;
    bool bad = false; // an element is not finite

    Result<void> reduce(const Strip& strip) {
        reset(strip);
        const bool contiguous = strip.columns == m_matrix.columns;
        const std::uint64_t atOnce = contiguous ? std::clamp<std::uint64_t>(elementsAtOnce / strip.columns, 1, strip.rows) : 1;
        for (std::uint64_t row = 0; row < strip.rows; row += atOnce) {
            const std::uint64_t count = std::min(atOnce, strip.rows - row);
            const std::uint64_t first = m_matrix.index(m_region.row + strip.row + row, m_region.column + strip.column);
            WB_TRY_ASSIGN(const auto values, m_values.read(first, count * strip.columns));
            add(values, row, count, strip.columns);
        }
        return {};
    }

private:
    void reset(const Strip& strip) {
        absmax.assign(strip.columns, 0);
        sum.assign(strip.columns, 0);
        squares.assign(strip.columns, 0);
        nan.assign(strip.columns, 0);
        inf.assign(strip.columns, 0);
        rows.assign(strip.rows, {});
        badInRow.assign(strip.rows, 0);
        bad = false;
    }

    void add(std::span<const float> values, std::uint64_t row, std::uint64_t count, std::uint64_t columns) {
        if (!addColumns(values.data(), columns, count, {absmax, sum, squares})) countBad(values, row, columns);
        for (std::uint64_t i = 0; i < count; ++i) rows[row + i] = sumRow(values.subspan(i * columns, columns));
    }

    void countBad(std::span<const float> values, std::uint64_t row, std::uint64_t columns) {
        bad = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) continue;
            ++(std::isnan(values[i]) ? nan : inf)[i % columns];
            ++badInRow[row + i / columns];
        }
    }

    MapValues m_values;
    Matrix m_matrix;
    MatrixRegion m_region;
};

float rootMean(double squares, std::uint64_t count) {
    return count == 0 ? none : static_cast<float>(std::sqrt(squares / static_cast<double>(count)));
}

// Sums over whole rows or whole columns of the region.
class AxisSums {
public:
    explicit AxisSums(std::uint64_t length) : m_absmax(length), m_squares(length), m_bad(length) {}

    void add(std::uint64_t at, float absmax, double squares, std::uint64_t bad) {
        m_absmax[at] = std::max(m_absmax[at], absmax);
        m_squares[at] += squares;
        m_bad[at] += bad;
    }

    Profile profile(std::uint64_t across) && {
        Profile profile{std::move(m_absmax), std::vector<float>(m_squares.size())};
        for (std::size_t i = 0; i < profile.rms.size(); ++i) {
            profile.rms[i] = rootMean(m_squares[i], across - m_bad[i]);
            if (across == m_bad[i]) profile.absmax[i] = none;
        }
        return profile;
    }

    bool isWanted() const { return !m_absmax.empty(); }

private:
    std::vector<float> m_absmax;
    std::vector<double> m_squares;
    std::vector<std::uint64_t> m_bad;
};

class GridBuilder {
public:
    GridBuilder(const MatrixRegion& region, std::uint32_t cell, bool profiles)
        : m_rows(profiles && region.rows <= profileCap ? region.rows : 0),
          m_columns(profiles && region.columns <= profileCap ? region.columns : 0) {
        m_grid.cell = cell;
        m_grid.region = region;
        const std::uint64_t cells = m_grid.rows() * m_grid.columns();
        m_grid.absmax.resize(cells);
        m_grid.mean.resize(cells);
        m_grid.rms.resize(cells);
        m_width = std::max<std::uint64_t>(columnsAtOnce / cell, 1) * cell;
        m_across = (region.columns + m_width - 1) / m_width;
    }

    std::uint64_t strips() const { return m_grid.rows() * m_across; }

    Strip strip(std::uint64_t index) const {
        const std::uint64_t row = index / m_across * m_grid.cell;
        const std::uint64_t column = index % m_across * m_width;
        return {index, row, std::min<std::uint64_t>(m_grid.cell, m_grid.region.rows - row), column,
                std::min(m_width, m_grid.region.columns - column)};
    }

    // In the order of the strips, so that sums over several of them are always formed alike.
    void add(const Strip& strip, const StripWorker& worker) {
        if (worker.bad && m_grid.nan.empty()) {
            m_grid.nan.resize(m_grid.mean.size());
            m_grid.inf.resize(m_grid.mean.size());
        }
        for (std::uint64_t column = 0; column < strip.columns; column += m_grid.cell) addCell(strip, worker, column);
        if (m_rows.isWanted())
            for (std::uint64_t i = 0; i < strip.rows; ++i)
                m_rows.add(strip.row + i, worker.rows[i].absmax, worker.rows[i].squares, worker.badInRow[i]);
        if (m_columns.isWanted())
            for (std::uint64_t i = 0; i < strip.columns; ++i)
                m_columns.add(strip.column + i, worker.absmax[i], worker.squares[i], worker.nan[i] + worker.inf[i]);
    }

    BuiltGrid finish() && {
        const MatrixRegion region = m_grid.region;
        return {std::move(m_grid), std::move(m_rows).profile(region.columns), std::move(m_columns).profile(region.rows)};
    }

private:
    void addCell(const Strip& strip, const StripWorker& worker, std::uint64_t first) {
        const std::uint64_t end = std::min(first + m_grid.cell, strip.columns);
        const std::uint64_t at = strip.row / m_grid.cell * m_grid.columns() + (strip.column + first) / m_grid.cell;
        float absmax = 0;
        double sum = 0, squares = 0;
        std::uint32_t nan = 0, inf = 0;
        for (std::uint64_t i = first; i < end; ++i) {
            absmax = std::max(absmax, worker.absmax[i]);
            sum += worker.sum[i];
            squares += worker.squares[i];
            nan += worker.nan[i];
            inf += worker.inf[i];
        }
        const std::uint64_t finite = strip.rows * (end - first) - nan - inf;
        m_grid.absmax[at] = finite == 0 ? none : absmax;
        m_grid.mean[at] = finite == 0 ? none : static_cast<float>(sum / static_cast<double>(finite));
        m_grid.rms[at] = rootMean(squares, finite);
        if (m_grid.nan.empty()) return;
        m_grid.nan[at] = nan;
        m_grid.inf[at] = inf;
    }

    MapGrid m_grid;
    AxisSums m_rows, m_columns;
    std::uint64_t m_width = 0;  // of a strip
    std::uint64_t m_across = 0; // strips side by side
};

} // namespace

Result<BuiltGrid> buildGrid(const MapInput& input, const Matrix& matrix, const MatrixRegion& region, std::uint32_t cell,
                            bool profiles, unsigned threads, const Progress& progress) {
    GridBuilder builder(region, cell, profiles);
    const DtypeInfo& type = info(input.tensor->dtype());
    const std::uint64_t total = region.rows * region.columns / type.blockElements * type.blockBytes;
    std::vector<StripWorker> workers;
    for (unsigned w = jobs::loopWidth(builder.strips(), threads); w > 0; --w) workers.emplace_back(input, matrix, region);
    std::atomic<std::uint64_t> done{0};
    OrderedSteps steps;
    const auto work = [&](std::uint64_t index, unsigned slot) -> Result<void> {
        OrderedSteps::Turn turn(steps, index);
        const Strip strip = builder.strip(index);
        WB_TRY(workers[slot].reduce(strip));
        WB_TRY(progress.at(std::min(total, done += total / builder.strips()), total));
        turn.run([&] { builder.add(strip, workers[slot]); });
        return {};
    };
    WB_TRY(jobs::parallelFor(builder.strips(), threads, progress.stop, work));
    return std::move(builder).finish();
}

} // namespace wb::stats

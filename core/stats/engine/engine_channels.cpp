// SPDX-License-Identifier: MIT
#include "core/stats/engine/channel_sums.h"
#include "core/stats/engine/engines.h"
#include "core/stats/ordered_steps.h"
#include "core/stats/rules.h"
#include "core/stats/value_reader.h"

#include <cmath>

namespace wb::stats {
namespace {

constexpr std::uint64_t rowsAtOnce = 256;        // of a region: squares are summed over them before the sums are merged
constexpr std::uint64_t columnsAtOnce = 65'536;  // of a region
constexpr std::uint64_t elementsAtOnce = 65'536; // of one read

// A rectangle of the grid: the unit of work.
struct Region {
    std::uint64_t index; // in the order of merging
    std::uint64_t first; // flat index of its first element
    std::uint64_t runs;  // contiguous runs of elements, one row apart; one run may hold many rows
    std::uint64_t runElements;
    std::uint64_t firstChannel;
    std::uint64_t channels;
};

// How the tensor is divided. Rows: slabs, whatever rows they cut. Columns: strips of columns, each in blocks of rows.
class Division {
public:
    Division(const SlabTask& task, Axis axis) : m_grid(channelGrid(task.reader().shape())), m_axis(axis), m_task(task) {
        if (task.elements() == 0) return;
        m_blocks = (m_grid.rows + rowsAtOnce - 1) / rowsAtOnce;
        const std::uint64_t strips = (m_grid.columns + columnsAtOnce - 1) / columnsAtOnce;
        m_regions = axis == Axis::Row ? task.slabs() : strips * m_blocks;
    }

    std::uint64_t columns() const { return m_grid.columns; }
    std::uint64_t channels() const { return m_axis == Axis::Row ? m_grid.rows : m_grid.columns; }
    std::uint64_t regions() const { return m_regions; }

    Region region(std::uint64_t index) const {
        if (m_axis == Axis::Row) {
            const Slab slab = m_task.slab(index);
            const std::uint64_t firstRow = slab.first / m_grid.columns;
            return {index, slab.first, 1, slab.count, firstRow, (slab.first + slab.count - 1) / m_grid.columns - firstRow + 1};
        }
        const std::uint64_t column = index / m_blocks * columnsAtOnce;
        const std::uint64_t row = index % m_blocks * rowsAtOnce;
        const std::uint64_t width = std::min(columnsAtOnce, m_grid.columns - column);
        const std::uint64_t height = std::min(rowsAtOnce, m_grid.rows - row);
        const bool whole = width == m_grid.columns;
        return {index, row * m_grid.columns + column, whole ? 1 : height, whole ? height * width : width, column, width};
    }

private:
    ChannelGrid m_grid;
    Axis m_axis;
    const SlabTask& m_task;
    std::uint64_t m_blocks = 0;
    std::uint64_t m_regions = 0;
};

class ChannelWorker {
public:
    ChannelWorker(SlabTask& task, const Division& division, int exponent)
        : m_task(&task), m_division(&division), m_values(task.reader()), m_exponent(exponent) {}

    const ChannelSums& sums() const { return m_sums; }

    Result<void> sum(const Region& region) {
        m_sums.reset(region.channels);
        for (std::uint64_t run = 0; run < region.runs; ++run) WB_TRY(sumRun(region, region.first + run * m_division->columns()));
        return {};
    }

private:
    Result<void> sumRun(const Region& region, std::uint64_t first) {
        const std::uint64_t end = first + region.runElements;
        while (first < end) {
            const std::uint64_t count = std::min(elementsAtOnce, end - first);
            WB_TRY_ASSIGN(const auto values, m_values.read(first, count));
            sumRows(region, first, values);
            WB_TRY(m_task->advance(m_task->reader().byteCount(count)));
            first += count;
        }
        return {};
    }

    // Row by row, so that no element costs a division.
    void sumRows(const Region& region, std::uint64_t first, std::span<const double> values) {
        const bool byRow = m_task->options().channels == Axis::Row;
        while (!values.empty()) {
            const std::uint64_t column = first % m_division->columns();
            const std::uint64_t rowEnd = byRow ? m_division->columns() : region.firstChannel + region.channels;
            const auto row = values.first(std::min<std::uint64_t>(values.size(), rowEnd - column));
            if (byRow) {
                const std::uint64_t channel = first / m_division->columns() - region.firstChannel;
                for (const double value : row) add(value, channel);
            } else {
                for (std::size_t i = 0; i < row.size(); ++i) add(row[i], column - region.firstChannel + i);
            }
            values = values.subspan(row.size());
            first += row.size();
        }
    }

    void add(double value, std::size_t channel) {
        if (!std::isfinite(value)) return;
        const double scaled = m_exponent == 0 ? value : std::ldexp(value, -m_exponent);
        m_sums.absmax[channel] = std::max(m_sums.absmax[channel], std::abs(value));
        m_sums.squares[channel] += scaled * scaled;
        ++m_sums.finite[channel];
    }

    SlabTask* m_task;
    const Division* m_division;
    ValueReader m_values;
    int m_exponent;
    ChannelSums m_sums;
};

} // namespace

Result<Channels> computeChannels(SlabTask& task, double absmax) {
    const Axis axis = *task.options().channels;
    const int exponent = momentExponent(absmax);
    const Division division(task, axis);
    std::vector<ChannelWorker> workers;
    for (unsigned w = task.workers(division.regions()); w > 0; --w) workers.emplace_back(task, division, exponent);
    ChannelSums sums;
    sums.reset(division.channels());
    OrderedSteps steps;
    const auto work = [&](std::uint64_t index, unsigned slot) -> Result<void> {
        OrderedSteps::Turn turn(steps, index);
        const Region region = division.region(index);
        WB_TRY(workers[slot].sum(region));
        turn.run([&] { sums.add(workers[slot].sums(), region.firstChannel); });
        return {};
    };
    WB_TRY(jobs::parallelFor(division.regions(), static_cast<unsigned>(workers.size()), task.stop(), work));
    return describe(axis, std::move(sums), exponent);
}

} // namespace wb::stats

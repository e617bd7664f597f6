// SPDX-License-Identifier: MIT
#include "gpu/stats/channel_pass.h"

#include "core/stats/engine/channel_sums.h"
#include "core/stats/rules.h"
#include "gpu/shaders/rectangle_sums.h"
#include "gpu/shaders/rectangle_sums.spv.h"

#include <bit>
#include <cmath>

namespace wb::gpu {
namespace {

constexpr std::uint64_t maxRectangles = 1u << 18; // of one slab
constexpr std::uint32_t rowPiece = 256;           // columns that one invocation adds up
constexpr std::uint32_t columnPiece = 256;        // rows

std::uint64_t pieces(std::uint64_t length, std::uint64_t piece) { return (length + piece - 1) / piece; }

std::uint64_t rectangles(const RectangleCut& cut) { return pieces(cut.rows, cut.height) * pieces(cut.columns, cut.width); }

// Rows of a slab: several whole ones, or a part of one.
struct Section {
    std::uint64_t firstRow, firstColumn;
    RectangleCut cut;
};

std::vector<Section> slabSections(const DecodedSlab& slab, const stats::ChannelGrid& grid, stats::Axis axis) {
    std::vector<Section> sections;
    std::uint64_t to = 0;
    for (std::uint64_t at = 0; at < slab.count;) {
        const std::uint64_t column = (slab.first + at) % grid.columns, left = slab.count - at;
        const bool whole = column == 0 && left >= grid.columns;
        const auto rows = static_cast<std::uint32_t>(whole ? left / grid.columns : 1);
        const auto columns = static_cast<std::uint32_t>(std::min(grid.columns - column, left));
        RectangleCut cut{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(to), rows, columns, 1, rowPiece};
        if (axis == stats::Axis::Column) cut.height = std::min(rows, columnPiece), cut.width = 1;
        sections.push_back({(slab.first + at) / grid.columns, column, cut});
        at += std::uint64_t{rows} * columns;
        to += rectangles(cut);
    }
    return sections;
}

class ChannelPass {
public:
    ChannelPass(DevicePtr device, stats::SlabTask& task, double absmax)
        : m_device(std::move(device)), m_grid(stats::channelGrid(task.reader().shape())), m_axis(*task.options().channels),
          m_exponent(stats::momentExponent(absmax)) {
        m_sums.reset(m_axis == stats::Axis::Row ? m_grid.rows : m_grid.columns);
    }

    Result<stats::Channels> run(SlabStream& stream) {
        WB_TRY_ASSIGN(m_kernel, m_device->kernel({"rectangle_sums", shaders::rectangle_sums, 2, sizeof(RectangleCut)}));
        WB_TRY(stream.run([this](Recorder& recorder, const DecodedSlab& slab) { return record(recorder, slab); },
                          [this](const DecodedSlab& slab) { finish(slab); }));
        return stats::describe(m_axis, std::move(m_sums), m_exponent);
    }

private:
    struct Sums {
        BufferPtr onDevice, readback;
    };

    Result<void> record(Recorder& recorder, const DecodedSlab& slab) {
        Sums& sums = m_slabSums[slab.slot];
        if (!sums.onDevice) {
            WB_TRY_ASSIGN(sums.onDevice, m_device->buffer(maxRectangles * sizeof(RectangleSums), Memory::Device));
            WB_TRY_ASSIGN(sums.readback, m_device->buffer(maxRectangles * sizeof(RectangleSums), Memory::Readback));
        }
        std::uint64_t bytes = 0;
        for (const Section& section : slabSections(slab, m_grid, m_axis)) {
            const std::uint64_t count = rectangles(section.cut);
            recorder.dispatch(m_kernel, {reads(slab.values()), writes(sums.onDevice->view())}, section.cut,
                              {groupsFor(count, rectangleGroup)});
            bytes = (section.cut.to + count) * sizeof(RectangleSums);
        }
        recorder.copy(sums.onDevice->view(0, bytes), sums.readback->view(0, bytes));
        return {};
    }

    void finish(const DecodedSlab& slab) {
        const auto sums = m_slabSums[slab.slot].readback->map<RectangleSums>();
        for (const Section& section : slabSections(slab, m_grid, m_axis)) {
            const RectangleCut& cut = section.cut;
            const std::uint64_t across = pieces(cut.columns, cut.width), count = rectangles(cut);
            for (std::uint64_t at = 0; at < count; ++at) {
                const std::uint64_t row = at / across * cut.height, column = at % across * cut.width;
                const std::uint64_t elements =
                    std::min<std::uint64_t>(cut.height, cut.rows - row) * std::min<std::uint64_t>(cut.width, cut.columns - column);
                add(m_axis == stats::Axis::Row ? section.firstRow + row : section.firstColumn + column, sums[cut.to + at],
                    elements);
            }
        }
    }

    void add(std::uint64_t channel, const RectangleSums& part, std::uint64_t elements) {
        m_sums.absmax[channel] = std::max<double>(m_sums.absmax[channel], std::bit_cast<float>(part.absmax));
        m_sums.squares[channel] += std::ldexp(static_cast<double>(part.squares), 2 * (part.exponent - m_exponent));
        m_sums.finite[channel] += elements - part.nan - part.inf;
    }

    DevicePtr m_device;
    stats::ChannelGrid m_grid;
    stats::Axis m_axis;
    int m_exponent;
    KernelPtr m_kernel;
    std::map<const Workspace::Slot*, Sums> m_slabSums;
    stats::ChannelSums m_sums;
};

} // namespace

bool channelsFit(const stats::SlabTask& task, const SlabStream& stream) {
    const stats::ChannelGrid grid = stats::channelGrid(task.reader().shape());
    const std::uint64_t rows = stream.slabElements() / std::max<std::uint64_t>(grid.columns, 1),
                        columns = std::min(grid.columns, stream.slabElements());
    // Besides whole rows a slab holds a part of one at each end.
    if (*task.options().channels == stats::Axis::Row) return (rows + 2) * pieces(columns, rowPiece) <= maxRectangles;
    return (pieces(rows, columnPiece) + 2) * columns <= maxRectangles;
}

Result<stats::Channels> passChannels(const DevicePtr& device, stats::SlabTask& task, SlabStream& stream, double absmax) {
    return ChannelPass(device, task, absmax).run(stream);
}

} // namespace wb::gpu

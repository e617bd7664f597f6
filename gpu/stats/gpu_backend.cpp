// SPDX-License-Identifier: MIT
#include "gpu/stats/gpu_backend.h"

#include "core/stats/distribution.h"
#include "core/stats/elements.h"
#include "core/stats/engine/engines.h"
#include "core/stats/sort_key.h"
#include "core/stats/rules.h"
#include "gpu/stats/channel_pass.h"
#include "gpu/stats/first_pass.h"
#include "gpu/stats/second_pass.h"

#include <cmath>

namespace wb::gpu {
namespace {

using stats::TensorStats;

stats::Element dtypeElement(Dtype dtype, std::uint32_t key) { return stats::toElement(dtype, stats::fromSortKey<float>(key)); }

// Decodes the few tiles in which the largest elements are again, here.
Result<void> findTop(const stats::SlabTask& task, const stats::TopList& tiles, TensorStats& stats) {
    stats::TopList top;
    std::vector<float> values;
    std::vector<std::byte> bytes;
    for (const auto& tile : tiles.list()) {
        const std::uint64_t first = tile.index * stats::tileElements;
        values.resize(std::min<std::uint64_t>(stats::tileElements, task.elements() - first));
        WB_TRY(task.reader().readF32(first, values, bytes));
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isfinite(values[i])) top.add({stats::toSortKey(std::abs(values[i])), first + i, stats::toSortKey(values[i])});
    }
    for (const auto& one : top.list())
        stats.top.push_back({one.index, dtypeElement(task.dtype(), static_cast<std::uint32_t>(one.key))});
    return {};
}

// Everything the first pass tells about `stats`.
Result<void> describeFirst(const stats::SlabTask& task, const TileTotals& tiles, TensorStats& stats) {
    stats.count = task.elements();
    stats.nan = tiles.nan;
    stats.inf = tiles.inf;
    stats.zeros = tiles.zeros;
    stats.denormal = tiles.subnormals;
    stats.finite = stats.count - stats.nan - stats.inf;
    if (stats.finite == 0) return {};
    const auto min = stats::fromSortKey<float>(tiles.min);
    const auto max = stats::fromSortKey<float>(tiles.max);
    stats.min = stats::toElement(task.dtype(), min);
    stats.max = stats::toElement(task.dtype(), max);
    stats.absmax = stats::largestMagnitude(min, max, task.dtype());
    stats::describe(tiles.moments(), min == max, stats);
    return findTop(task, tiles.topTiles(), stats);
}

class GpuBackend final : public stats::Backend {
public:
    explicit GpuBackend(DevicePtr device) : m_device(std::move(device)) {}

    const char* name() const override { return "gpu"; }

    Result<TensorStats> compute(const TensorReader& reader, const stats::Options& options, const Progress& progress) override {
        WB_TRY(stats::check(reader, options));
        if (!runsOnGpu(reader.dtype()))
            return fail(ErrorCode::Unsupported, Reason("device.type"), WB_TEXT("Statistics of {} are computed by the CPU."),
                        wb::name(reader.dtype()));
        stats::SlabTask task(reader, options, progress, options.channels ? 3 : 2);
        WB_TRY_ASSIGN(auto space, takeSpace());
        SlabStream stream(m_device, task, *space);
        auto stats = computeIn(*space, task, stream);
        if (stats && options.channels) WB_TRY(addChannels(task, stream, *stats));
        if (stats) giveBack(std::move(space)); // after a failure the device may still be writing into it
        if (!stats) return stats;
        WB_TRY(task.complete());
        stats->device = m_device->info().option();
        return stats;
    }

private:
    Result<TensorStats> computeIn(Workspace& space, stats::SlabTask& task, SlabStream& stream) {
        TensorStats stats;
        WB_TRY_ASSIGN(const FirstPass first, runFirstPass(m_device, task, space, stream));
        WB_TRY(describeFirst(task, first.tiles, stats));
        if (stats.finite == 0) return stats;
        stats::RankSearch ranks(stats.finite, 32);
        ranks.narrow(std::span(&first.radix, 1));
        WB_TRY(runSecondPass(m_device, task, space, stream, std::move(ranks), stats));
        return stats;
    }

    Result<void> addChannels(stats::SlabTask& task, SlabStream& stream, TensorStats& stats) {
        const double absmax = stats.absmax ? stats::asDouble(*stats.absmax) : 0;
        if (channelsFit(task, stream)) {
            WB_TRY_ASSIGN(stats.channels, passChannels(m_device, task, stream, absmax));
            return {};
        }
        WB_TRY_ASSIGN(stats.channels, stats::computeChannels(task, absmax));
        stats.deviceNote = makeProblem(Severity::Note, "device.channels", {}, std::nullopt,
                                       WB_TEXT("The CPU computed the statistics of rows and columns."));
        return {};
    }

    Result<std::unique_ptr<Workspace>> takeSpace() {
        {
            const std::lock_guard lock(m_mutex);
            if (m_space) return std::move(m_space);
        }
        return Workspace::make(m_device);
    }

    void giveBack(std::unique_ptr<Workspace> space) {
        const std::lock_guard lock(m_mutex);
        m_space = std::move(space);
    }

    DevicePtr m_device;
    std::mutex m_mutex;
    std::unique_ptr<Workspace> m_space; // kept for the next computation; one that runs next to another makes its own
};

} // namespace

bool runsOnGpu(Dtype dtype) { return dtype != Dtype::Unknown && !stats::isWide(dtype); }

std::unique_ptr<stats::Backend> makeGpuBackend(DevicePtr device) { return std::make_unique<GpuBackend>(std::move(device)); }

} // namespace wb::gpu

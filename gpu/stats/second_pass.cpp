// SPDX-License-Identifier: MIT
#include "gpu/stats/second_pass.h"

#include "core/stats/elements.h"
#include "core/stats/sort_key.h"
#include "gpu/shaders/stats_second_pass.spv.h"
#include "gpu/stats/counters.h"
#include "gpu/stats/sort_key_limits.h"

#include <algorithm>

namespace wb::gpu {
namespace {

constexpr std::uint32_t digits = 65'536;
constexpr std::uint32_t sharedBins = 1024; // as in the shader
constexpr std::uint64_t elementsAGroup = 4 * stats::tileElements;

struct SecondPush {
    std::uint32_t count = 0;
    std::uint32_t bins = 0;
    InlierKeys inliers{};
    std::uint32_t prefixes = 0;
    std::array<std::uint32_t, 9> prefix{};
};

SecondPush pushFor(const stats::SlabTask& task, const stats::RankSearch& ranks, const stats::TensorStats& stats) {
    const auto low = static_cast<float>(stats::asDouble(*stats.min));
    const auto high = static_cast<float>(stats::asDouble(*stats.max));
    const stats::OutlierRule rule(*stats.mean, *stats.std, stats::asDouble(*stats.absmax));
    SecondPush push;
    push.bins = task.options().bins;
    push.inliers = inlierKeys(rule, *stats.mean, low, high);
    push.prefixes = static_cast<std::uint32_t>(ranks.prefixes().size());
    std::ranges::transform(ranks.prefixes(), push.prefix.begin(),
                           [](std::uint64_t prefix) { return static_cast<std::uint32_t>(prefix); });
    return push;
}

Result<View> sendLowestKeys(const DevicePtr& device, Workspace& space, const stats::BinRule& rule,
                            const stats::TensorStats& stats) {
    const auto keys =
        lowestKeys(rule, static_cast<float>(stats::asDouble(*stats.min)), static_cast<float>(stats::asDouble(*stats.max)));
    std::ranges::copy(keys, space.lowestUpload->map<std::uint32_t>().begin());
    const std::uint64_t bytes = keys.size() * sizeof(std::uint32_t);
    const View lowest = space.lowest->view(0, bytes);
    Recorder recorder(device);
    recorder.copy(space.lowestUpload->view(0, bytes), lowest);
    WB_TRY(device->submit(std::move(recorder)));
    return lowest;
}

// Counts are laid out as in the shader: outliers, bins, tables of digits.
void takeCounts(std::span<const std::uint64_t> counts, stats::RankSearch& ranks, Dtype dtype, stats::TensorStats& stats) {
    stats.outliers6 = counts[0];
    const std::size_t bins = stats.histogram->counts.size();
    std::ranges::copy(counts.subspan(1, bins), stats.histogram->counts.begin());
    std::vector<stats::RankSearch::Table> tables;
    for (std::size_t i = 0; i < ranks.prefixes().size(); ++i) {
        const auto table = counts.subspan(1 + bins + i * digits, digits);
        tables.emplace_back(table.begin(), table.end());
    }
    ranks.narrow(tables);
    stats.percentiles.emplace();
    std::ranges::transform(ranks.keys(), stats.percentiles->begin(), [dtype](std::uint64_t key) {
        return stats::toElement(dtype, stats::fromSortKey<float>(static_cast<std::uint32_t>(key)));
    });
}

} // namespace

Result<void> runSecondPass(const DevicePtr& device, stats::SlabTask& task, Workspace& space, SlabStream& stream,
                           stats::RankSearch ranks, stats::TensorStats& stats) {
    const std::uint32_t bins = task.options().bins;
    WB_TRY_ASSIGN(
        const KernelPtr kernel,
        device->kernel(
            {"stats_second_pass", shaders::stats_second_pass, 3, sizeof(SecondPush), {std::uint32_t{bins <= sharedBins}}}));
    stats.histogram = stats::Histogram{stats::asDouble(*stats.min), stats::asDouble(*stats.max), std::vector<std::uint64_t>(bins)};
    const stats::BinRule rule(stats.histogram->low, stats.histogram->high, bins);
    WB_TRY_ASSIGN(const View lowest, sendLowestKeys(device, space, rule, stats));
    SecondPush push = pushFor(task, ranks, stats);
    Counters counters(device, space, 1 + bins + std::uint64_t{push.prefixes} * digits);
    const auto record = [&](Recorder& recorder, const DecodedSlab& slab) -> Result<void> {
        WB_TRY(counters.reserve(slab.count));
        push.count = static_cast<std::uint32_t>(slab.count);
        const auto groups = static_cast<std::uint32_t>((slab.count + elementsAGroup - 1) / elementsAGroup);
        recorder.dispatch(kernel, {reads(slab.values()), reads(lowest), updates(counters.view())}, push, {groups});
        return {};
    };
    WB_TRY(stream.run(record, [](const DecodedSlab&) {}));
    WB_TRY(counters.collect());
    takeCounts(counters.totals(), ranks, task.dtype(), stats);
    return {};
}

} // namespace wb::gpu

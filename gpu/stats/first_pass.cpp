// SPDX-License-Identifier: MIT
#include "gpu/stats/first_pass.h"

#include "core/stats/rules.h"
#include "gpu/shaders/stats_first_pass.spv.h"
#include "gpu/shaders/stats_tile.h"
#include "gpu/stats/counters.h"

#include <bit>

namespace wb::gpu {
namespace {

static_assert(stats::tileElements == WB_TILE_ELEMENTS);

struct Push {
    std::uint32_t count;
    std::uint32_t smallestNormal;
};

void addTiles(const DecodedSlab& slab, TileTotals& totals) {
    const std::span<const std::uint32_t> words = slab.slot->tileReadback->map<std::uint32_t>();
    for (std::uint64_t tile = 0; tile < slab.tiles(); ++tile) {
        const std::uint64_t count = std::min<std::uint64_t>(stats::tileElements, slab.count - tile * stats::tileElements);
        totals.add(words.subspan(tile * WB_TILE_WORDS, WB_TILE_WORDS), count);
    }
}

stats::RankSearch::Table joined(std::span<const std::uint64_t> tables) {
    stats::RankSearch::Table radix(WB_RADIX_BINS);
    for (std::size_t i = 0; i < tables.size(); ++i) radix[i % WB_RADIX_BINS] += tables[i];
    return radix;
}

} // namespace

Result<FirstPass> runFirstPass(const DevicePtr& device, stats::SlabTask& task, Workspace& space, SlabStream& stream) {
    WB_TRY_ASSIGN(const KernelPtr kernel, device->kernel({"stats_first_pass", shaders::stats_first_pass, 3, sizeof(Push)}));
    const auto normal = std::bit_cast<std::uint32_t>(static_cast<float>(stats::smallestNormal(task.dtype())));
    FirstPass pass;
    Counters counters(device, space, WB_RADIX_TABLES * WB_RADIX_BINS);
    const auto record = [&](Recorder& recorder, const DecodedSlab& slab) -> Result<void> {
        WB_TRY(counters.reserve(slab.count));
        const std::uint64_t bytes = slab.tiles() * WB_TILE_WORDS * sizeof(std::uint32_t);
        const View tiles = slab.slot->tiles->view(0, bytes);
        recorder.dispatch(kernel, {reads(slab.values()), writes(tiles), updates(counters.view())},
                          Push{static_cast<std::uint32_t>(slab.count), normal}, {static_cast<std::uint32_t>(slab.tiles())});
        recorder.copy(tiles, slab.slot->tileReadback->view(0, bytes));
        return {};
    };
    WB_TRY(stream.run(record, [&](const DecodedSlab& slab) { addTiles(slab, pass.tiles); }));
    WB_TRY(counters.collect());
    pass.radix = joined(counters.totals());
    return pass;
}

} // namespace wb::gpu

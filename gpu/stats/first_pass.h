// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/engine/rank_search.h"
#include "gpu/stats/slab_stream.h"
#include "gpu/stats/tile_totals.h"

namespace wb::gpu {

// The counts of the first pass over all values.
struct FirstPass {
    TileTotals tiles;
    stats::RankSearch::Table radix; // finite values by the upper halves of their sort keys
};
Result<FirstPass> runFirstPass(const DevicePtr& device, stats::SlabTask& task, Workspace& space, SlabStream& stream);

} // namespace wb::gpu

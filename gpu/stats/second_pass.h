// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/stats/slab_stream.h"

#include "core/stats/engine/rank_search.h"

namespace wb::gpu {

// Fills histogram, outliers and percentiles of `stats`, which has everything else: one more pass. `ranks` has been narrowed once,
// by the radix histogram.
Result<void> runSecondPass(const DevicePtr& device, stats::SlabTask& task, Workspace& space, SlabStream& stream,
                           stats::RankSearch ranks, stats::TensorStats& stats);

} // namespace wb::gpu

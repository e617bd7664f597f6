// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/map.h"
#include "core/stats/stats.h"

namespace wb::stats {

// The finite elements of the mapped matrix with the largest magnitudes (of a comparison: the largest differences), up to `count` of
// them, by magnitude descending, then index ascending (docs/reference/statistics.md, "Channel statistics"). `map` is that of the
// input: it shows which cells can contain them, so only those are read. Magnitudes that are equal in f32 count as equal; values are
// signed and as exact as f64.
Result<std::vector<TopElement>> largestElements(const MapInput& input, const TensorMap& map, std::size_t count,
                                                const Progress& progress);

} // namespace wb::stats

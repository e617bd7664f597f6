// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/rules.h"

#include <vector>

// The f64 rules of core/stats as limits on the sort keys of f32 values (core/stats/sort_key.h), which a device without f64 can
// compare. Exact: a sort key is on the same side of a limit as its value is of the rule.
namespace wb::gpu {

// The smallest sort key of every bin, ascending; an empty bin has that of the next one. `low` and `high` are the extremes
// the rule was made of.
std::vector<std::uint32_t> lowestKeys(const stats::BinRule& rule, float low, float high);

// Sort keys from `first` to `last`, both included, are no outliers; all others between those of `low` and `high` are.
struct InlierKeys {
    std::uint32_t first;
    std::uint32_t last;
};
InlierKeys inlierKeys(const stats::OutlierRule& rule, double mean, float low, float high);

} // namespace wb::gpu

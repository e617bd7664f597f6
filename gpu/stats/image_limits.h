// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/rules.h"

#include <vector>

// The f64 rules of core/stats as limits on the images of f32 values (core/stats/sort_key.h), which a device without f64 can compare.
// Exact: an image is on the same side of a limit as its value is of the rule.
namespace wb::gpu {

// The least image of every bin, ascending; a bin that nothing falls into has that of the next one. `low` and `high` are the extremes
// the rule was made of.
std::vector<std::uint32_t> lowestImages(const stats::BinRule& rule, float low, float high);

// Images between these two, both included, are no outliers; all others from `low` to `high` are.
struct InlierImages {
    std::uint32_t first;
    std::uint32_t last;
};
InlierImages inlierImages(const stats::OutlierRule& rule, double mean, float low, float high);

} // namespace wb::gpu

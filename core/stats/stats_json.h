// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <nlohmann/json.hpp>

namespace wb::stats {

// The object of specs/cli.md, `inspect --stats`: members in that order, undefined values null, coordinates instead of flat indices,
// numbers with digits enough to restore them. A channel without a finite element is null in both lists.
nlohmann::ordered_json toJson(const TensorStats& stats, const Shape& shape);

// The way back, for caches of results; Malformed where the object is not of this form. Integers come back as int64 where they fit.
Result<TensorStats> fromJson(const nlohmann::ordered_json& json, const Shape& shape);

} // namespace wb::stats

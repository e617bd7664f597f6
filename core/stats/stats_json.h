// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/model/value.h"
#include "core/stats/stats.h"

namespace wb::stats {

// The object of docs/reference/command_line.md, `inspect --stats`: members in that order, undefined values null, coordinates
// instead of flat indices, numbers with digits enough to restore them. A channel without a finite element is null in both lists.
void writeJson(JsonWriter& out, const TensorStats& stats, const Shape& shape);
void writeJson(JsonWriter& out, const Channels& channels);

// The inverse, for caches of results; Malformed where the value is not of this form or was cut by the reader's caps.
Result<TensorStats> readStats(const Value& json, const Shape& shape);

} // namespace wb::stats

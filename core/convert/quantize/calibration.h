// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "core/quant/backend.h"

namespace wb::quantize {

// Elements a second by target type, all threads together.
using Speeds = std::map<Dtype, double>;

// Measures how fast the backend, with so many threads (0: all), quantizes to each type of the plan: made-up rows pass it for about
// `seconds` in all, as those of the model would, the disk omitted. A device that meets a type for the first time takes longer.
Speeds calibrate(const QuantizePlan& plan, quant::Backend& backend, unsigned threads, double seconds, const std::stop_token& stop);

// How long a run will take that quantizes as fast, without waiting for the disk.
double estimateSeconds(const QuantizePlan& plan, const Speeds& speeds);

} // namespace wb::quantize

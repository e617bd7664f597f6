// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize_plan.h"

namespace wb::convert {

// Elements a second of one thread, by target type.
using Speeds = std::map<Dtype, double>;

// Measures how fast this machine quantizes to each type of the plan, by doing it on made-up rows for about `seconds` in all.
Speeds calibrate(const QuantizePlan& plan, double seconds, const std::stop_token& stop);

// How long a run will take with so many threads (0: all), without waiting for the disk.
double estimateSeconds(const QuantizePlan& plan, const Speeds& speeds, unsigned threads);

} // namespace wb::convert

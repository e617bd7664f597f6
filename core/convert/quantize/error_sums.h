// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"

#include <span>

namespace wb::quantize {

// Adds what a decoded tensor part differs from its source by. Both have the same length. Element i goes into partial sum i % 8 and
// the eight are added in order, so that every machine gives the same numbers.
ErrorSums errorSums(std::span<const float> source, std::span<const float> decoded);

} // namespace wb::quantize

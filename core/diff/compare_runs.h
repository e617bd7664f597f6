// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

namespace wb::diff {

// Reads all runs once, on several threads, and fills the measures of the pairs. Values that cannot be read become the failure of
// their pair; Changed and Canceled end the work.
Result<void> compareRuns(Pairing& pairing, const Options& options);

// The measures of one run alone, on this thread; empty where its values cannot be read.
std::optional<Measures> compareSample(const Run& run, const std::vector<Model>& models);

} // namespace wb::diff

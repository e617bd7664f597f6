// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

// How a block type's codes and scales are used (docs/reference/statistics.md, "Quantization and error measures").
namespace wb::stats {

struct CodeStats {
    std::vector<std::uint64_t> counts; // by code; see BlockFacts for what codes are called
    double entropy = 0;                // in bits a code
    double efficiency = 0;             // entropy / log2(number of codes)
    double saturation = 0;             // fraction of elements at the lowest or highest level of its type
    std::uint32_t unused = 0;          // codes that never occur
    double bitsPerWeight = 0;          // as stored, scales included
    std::uint64_t groups = 0;          // that have their own scale
    std::uint64_t zeroScales = 0;
    std::uint64_t badScales = 0;       // NaN or infinite; in no histogram
    Histogram scales;                  // linear bins over their finite values, without counts if none exists
    std::optional<Histogram> minimums; // what is added after scaling; only for types that have it
    std::optional<double> medianScale; // of the magnitudes of finite scales other than 0, to 2^-16 of the largest
};

// Reads the tensor twice, with the requested number of threads (0: as many as the machine has); the result does not depend on them.
// Unsupported for types that are no block types. Counts bytes of progress.
Result<CodeStats> computeCodes(const TensorReader& reader, std::uint32_t bins, unsigned threads, const Progress& progress);

} // namespace wb::stats

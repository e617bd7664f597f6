// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"
#include "core/stats/stats.h"

// One pair of a comparison, looked at more closely.
namespace wb::diff {

// Differences e = w - v of the elements that were compared, in the order and with the row length of B's layout; where one side is a
// GGUF file and the other a folder, of the GGUF file's. Several tensors of a side follow each other.
struct Detail {
    std::uint64_t rows = 0, rowLength = 0;
    std::size_t mapRows = 0, mapColumns = 0;
    std::vector<float> map; // row-major: the e of the largest magnitude in each cell; NaN where no element of it is finite or read
    double limit = 0;       // the largest magnitude in the map
    stats::Histogram errors;
    std::uint64_t read = 0, notFinite = 0; // elements; those without a finite difference
    bool isSampled = false;                // not all elements were read

    double cellRows() const { return static_cast<double>(rows) / static_cast<double>(mapRows); }
    double cellColumns() const { return static_cast<double>(rowLength) / static_cast<double>(mapColumns); }
};

struct DetailOptions {
    std::size_t maxMapRows = 192, maxMapColumns = 256;
    std::size_t bins = 101;
    std::uint64_t maxElements = 1 << 26; // of larger pairs equally spaced slabs are read
    Progress progress = {};              // counts elements
};

// Reads the pair again: some MiB of memory and at most maxElements of each side. Invalid for a pair that has no values to compare;
// Changed where a file is not the one that was compared; Canceled. Blocks the calling thread.
Result<Detail> readDetail(const Comparison& comparison, std::size_t pair, const DetailOptions& options);

} // namespace wb::diff

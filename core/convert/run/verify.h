// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::run {

// How much of a written file is computed again from its source and compared before it is renamed to its final name. Its layout is
// checked always.
enum class Verify : std::uint8_t {
    None,
    Sample, // the beginning and the end of every tensor
    All,
};

// The bytes of a tensor in the file differ from those that its source yields.
inline constexpr Reason writtenDiffers("run.written_differs");

// A range of a written file that is computed again.
struct ComparedRange {
    std::uint64_t item = 0; // of the producer
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

// Computes the bytes of an item's range again, with the buffers of one thread.
using Recompute = std::function<Result<void>(std::uint64_t item, std::span<std::byte> bytes)>;

struct Comparison {
    std::vector<ComparedRange> ranges;
    std::function<Recompute()> makeWorker;                     // thread-safe
    std::uint64_t workerBytes = 0;                             // of one worker next to the bytes of a range
    std::function<std::string(std::uint64_t item)> tensorName; // for the error
    unsigned threads = 0;                                      // 0: all
    std::stop_token stop;
};

// Computes the ranges of one file again and compares them. The error (writtenDiffers) names a tensor that differs.
Result<void> compareRanges(const Comparison& comparison, const io::ByteSource& written);

} // namespace wb::run

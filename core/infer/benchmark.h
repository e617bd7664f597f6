// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/session.h"

#include <algorithm>

namespace wb::infer {

struct BenchmarkOptions {
    std::size_t prompt = 512;   // tokens read at once; 0: not timed
    std::size_t generate = 128; // tokens drawn one by one; 0: not timed
    std::size_t repeat = 5;     // times that are counted, after one that is not
    std::size_t depth = 0;      // tokens in the cache before the clock starts

    std::size_t context() const { return depth + std::max(prompt, generate); }
};

// Tokens a second.
struct Rates {
    double median = 0, min = 0, max = 0;
};

struct Benchmarked {
    Rates prompt, generate;
};

// How fast the session's model reads and writes. Each repetition starts with a cache of `depth` tokens, once for reading and once
// for writing; the sampling of a token counts as a part of writing it. Progress counts repetitions.
Result<Benchmarked> benchmark(Session& session, const BenchmarkOptions& options, const Progress& progress);

} // namespace wb::infer

// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/infer/benchmark.h"

#include <string>

namespace wb::cli {

// `wb bench` as typed.
struct BenchOptions {
    std::string model;
    infer::BenchmarkOptions benchmark;
    std::string cacheTypes; // K or K,V; empty: f16
    std::string gpuLayers;  // a number or all; empty: what fits
};

int bench(const Context& context, const BenchOptions& options);

// `wb perplexity` as typed.
struct PerplexityOptions {
    std::string model;
    std::string text;          // a file
    std::size_t context = 512; // tokens of a window
    std::string save, base;    // files of saved logits; empty: none
    std::string cacheTypes;    // K or K,V; empty: f16
    std::string gpuLayers;     // a number or all; empty: what fits
};

int perplexity(const Context& context, const PerplexityOptions& options);

} // namespace wb::cli

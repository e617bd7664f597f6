// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/quant/whatif/block_levels.h"
#include "core/quant/imatrix/imatrix.h"
#include "core/quant/whatif/what_if.h"

#include <functional>
#include <memory>

// Work of the worker for the what-if panel. Everything is stored by value, so that a trial may outlive the panel that asked for it.
namespace wb::quant {

// Who quantizes in a series of trials. A GPU is opened and tested by the first trial, on its worker, and kept for the
// rest of the series, whose trials come one after the other.
class TrialEngine {
public:
    explicit TrialEngine(std::function<std::shared_ptr<Backend>()> make) : m_make(std::move(make)) {}

    Backend* backend(); // null: the CPU

private:
    std::function<std::shared_ptr<Backend>()> m_make;
    std::shared_ptr<Backend> m_backend;
};

using MatrixPtr = std::shared_ptr<const Imatrix>;

struct Trial {
    ModelPtr model;
    std::uint32_t tensor = 0;
    Dtype type = Dtype::Unknown;
    std::uint64_t rowStep = 1; // more than 1: a preview of at most some 4 million elements
    MatrixPtr matrix;
    std::shared_ptr<TrialEngine> engine;
    unsigned threads = 0;
};

struct TrialResult {
    WhatIf found;
    std::vector<Problem> remarks; // of who quantized
};

// An element of the trial's tensor, by which the block around it is meant.
struct BlockPlace {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    bool operator==(const BlockPlace&) const = default;
};

Result<BlockLevels> tryBlock(const Trial& trial, const BlockPlace& place); // by the CPU: it is one row

Result<TrialResult> tryType(const Trial& trial, const Progress& progress);

} // namespace wb::quant

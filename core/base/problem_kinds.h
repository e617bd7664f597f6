// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb {

// Problems with one code. A large model has hundreds of tensors with the same problem: the first stands for them.
struct ProblemKind {
    const Problem* first = nullptr;
    std::size_t count = 0; // with the first
};

// By severity, the gravest first, then in the order of the first of each. `problems` must outlive the result.
std::vector<ProblemKind> groupProblems(std::span<const Problem> problems);

} // namespace wb

// SPDX-License-Identifier: MIT
#include "core/base/problem_kinds.h"

#include <algorithm>
#include <functional>

namespace wb {

std::vector<ProblemKind> groupProblems(std::span<const Problem> problems) {
    std::vector<ProblemKind> kinds;
    for (const Problem& problem : problems) {
        const auto same = [&problem](const ProblemKind& kind) {
            return kind.first->code == problem.code && kind.first->severity == problem.severity;
        };
        const auto found = std::ranges::find_if(kinds, same);
        if (found == kinds.end()) kinds.push_back({&problem, 1});
        else ++found->count;
    }
    std::ranges::stable_sort(kinds, std::greater(), [](const ProblemKind& kind) { return kind.first->severity; });
    return kinds;
}

} // namespace wb

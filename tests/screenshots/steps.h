// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace wb::screenshots {

// What is done, and what is then waited for.
struct Step {
    std::function<void()> act;
    std::function<bool()> isDone;
};

// Takes one step after the other, a question at a time; true once the last is done.
inline std::function<bool()> inOrder(std::vector<Step> steps) {
    return [steps = std::move(steps), at = std::size_t{0}, hasActed = false]() mutable {
        if (at == steps.size()) return true;
        if (!std::exchange(hasActed, true)) {
            steps[at].act();
            return false;
        }
        if (!steps[at].isDone()) return false;
        ++at;
        hasActed = false;
        return at == steps.size();
    };
}

} // namespace wb::screenshots

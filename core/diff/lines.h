// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::diff {

// A line of two texts, side by side; one of them is empty where only the other has the line.
struct ComparedLine {
    std::optional<std::string> a, b;

    bool isEqual() const { return a == b; }
};

// The lines of both texts in order, with as many equal ones as possible next to each other. Of texts whose middle parts have more
// than 4,000,000 pairs of lines, these parts are not matched: A's lines come before B's. Changed lines stand side by side.
std::vector<ComparedLine> compareLines(std::string_view a, std::string_view b);

} // namespace wb::diff

// SPDX-License-Identifier: MIT
#pragma once

#include "core/query/field.h"
#include "core/regex/regex.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wb::query {

// Logic with three values: a statistic that is not known is neither true nor false, and "not" leaves it so.
enum class Truth { No, Unknown, Yes };

struct Contains {
    std::string part; // these three in lower case
};
struct Equals {
    std::string text;
};
struct Glob {
    std::string pattern;
};

struct TextTerm {
    const Field* field;
    std::variant<Contains, Equals, Glob, regex::Regex> wanted;
    bool negated = false;
};

// The number is between `low` and `high`; an end belongs to it where it is closed.
struct NumberTerm {
    const Field* field;
    double low;
    double high;
    bool lowClosed = true;
    bool highClosed = true;
    bool negated = false;
};

struct ShapeTerm {
    std::vector<std::optional<std::uint64_t>> dimensions; // empty for *
    bool negated = false;
};

enum class Junction { And, Or, Not };
struct Group {
    Junction junction;
    std::vector<Node> members; // one for Not
};

struct Node {
    std::variant<TextTerm, NumberTerm, ShapeTerm, Group> content;
};

} // namespace wb::query

// SPDX-License-Identifier: MIT
#pragma once

#include "core/query/query.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wb::query {

enum class FieldKind {
    Text,   // ":" means contains
    Word,   // ":" means equal
    Number, // of the tensor; absent where it has none
    Statistic,
    Shape
};

// A row of the table of fields. Text and Word rows have `text`, Number and Statistic rows have `number`.
struct Field {
    std::string_view name;
    FieldKind kind;
    std::string_view (*text)(const Subject&) = nullptr;
    std::optional<double> (*number)(const Subject&) = nullptr;
};

// By name or alias, in either case; null if none exists.
const Field* findField(std::string_view name);

// The three nearest names, nearest first, for a message.
std::array<std::string_view, 3> nearestFields(std::string_view name);

} // namespace wb::query

// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"

namespace wb {
class JsonWriter;
}

// A comparison as documents, the same for `wb diff` and the window.
namespace wb::diff {

// The document of `wb diff --json` (docs/reference/command_line.md, "diff"). The caller finishes the writer.
void writeJson(JsonWriter& out, const Comparison& comparison);

// One line per pair and per tensor of one side alone, with the members of `tensors` of that document as columns. Parts of a side
// and coordinates are separated by spaces and by commas. Undefined measures are empty.
std::string csvText(const Comparison& comparison);

} // namespace wb::diff

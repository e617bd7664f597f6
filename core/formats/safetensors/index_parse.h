// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/model/value.h"

namespace wb::safetensors {

using formats::Findings;
using formats::shown;

// One line of a weight_map.
struct Mapping {
    std::string name;
    std::uint32_t file; // index into Index::files
};

// An index.json.
struct Index {
    std::vector<std::string> files; // each once, in the order they are first named; all are plain relative names
    std::vector<Mapping> mappings;
    std::optional<Value> metadata;
    std::optional<std::uint64_t> totalSize;
};

// Reads the text of an index.json. Refused are texts of another grammar, file names that points outside the folder and counts above
// the caps; a name that is listed twice is kept twice.
Result<Index> parseIndex(std::string_view text, const formats::Limits& limits, Findings& findings);

} // namespace wb::safetensors

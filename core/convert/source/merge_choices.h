// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/merge_settings.h"
#include "core/model/value.h"

// The decisions of merging several models, as plan files keep them.
namespace wb {
class JsonWriter;
}

namespace wb::convert {

struct MergeChoices {
    merge::MergeSettings settings;   // its weights are those of `models`
    std::vector<std::string> models; // the others: absolute paths of their folders or files, UTF-8; empty: nothing is merged
    // Whose vocabulary the result has if they differ: "base" or one of `models`; empty: they must not differ.
    std::string tokenizer;

    bool isNone() const { return models.empty(); }
    bool operator==(const MergeChoices&) const = default;
};

// The object {"method", "models": [{"path", "weight"}, …], "base_weight", "t", "density", "lambda", "normalize": bool | null,
// "rescale", "seed", "rules": ["REGEX:KEY=V", …], "layers", "tokenizer"}.
void writeMerge(JsonWriter& out, const MergeChoices& choices);

// Reads one that may come from anybody; empty where a member is missing or invalid, which checkSettings() tells of numbers.
std::optional<MergeChoices> readMerge(const Value& value);

} // namespace wb::convert

// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/convert/source/merge_choices.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// The options of merging several models, as typed.
struct MergeOptions {
    std::vector<std::string> models; // MODEL[=WEIGHT]
    std::string method;
    std::string normalize, rescale;
    std::string layers;
    std::string tokenizer;
    std::vector<std::string> rules; // REGEX:KEY=V
    std::optional<double> baseWeight, t, density, lambda;
    std::uint64_t seed = 0;
    std::string recipeFile, saveRecipeFile;           // of mergekit
    std::optional<convert::MergeChoices> recipe = {}; // of recipeFile, once it was read; instead of all above
    bool comparesParents = false;

    bool isGiven() const { return !models.empty() || !recipeFile.empty() || hasSettings(); }
    bool hasSettings() const {
        return !method.empty() || !normalize.empty() || !rescale.empty() || !layers.empty() || !tokenizer.empty() ||
               !rules.empty() || baseWeight || t || density || lambda || seed != 0;
    }
};

void addMergeOptions(CLI::App& command, MergeOptions& options);

// None if no model is named. Invalid is wrong usage.
Result<convert::MergeChoices> readMergeChoices(const MergeOptions& options);

} // namespace wb::cli

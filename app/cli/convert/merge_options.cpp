// SPDX-License-Identifier: MIT
#include "app/cli/convert/merge_options.h"

#include "app/cli/commands.h"
#include "app/cli/convert/convert.h"
#include "core/base/text.h"

namespace wb::cli {
namespace {

using convert::MergeChoices;
using merge::MergeMethod;

template <typename... Args>
std::unexpected<Error> invalid(const char* option, const char* sentence, Args&&... args) {
    return fail(ErrorCode::Invalid, Reason("cli.options"), About{option}, sentence, std::forward<Args>(args)...);
}

Result<MergeMethod> optionsMethod(const MergeOptions& options) {
    constexpr const char* all = "linear, slerp, task-arithmetic, ties, dare-linear, dare-ties or layers";
    if (options.models.empty())
        return invalid("--with", WB_TEXT("--with is required: it names a model to merge with BASE; the other options of merging "
                                         "models are for it."));
    if (options.method.empty()) return invalid("--method", WB_TEXT("--method is required with --with: {}."), all);
    if (const auto method = merge::mergeMethodFromName(options.method)) return *method;
    return invalid("--method", WB_TEXT("{} is not a merge method; use {}."), options.method, all);
}

// Numbers that the method does not have would be ignored in silence.
Result<void> checkBelongs(const MergeOptions& options, MergeMethod method) {
    const auto refuse = [&](const char* option, const char* methods) {
        return invalid(option, WB_TEXT("{} does not apply to --method {}; it is for {}."), option, options.method, methods);
    };
    if (options.density && !merge::dropsDifferences(method)) return refuse("--density", "ties, dare-linear and dare-ties");
    if (!options.rescale.empty() && !merge::dropsAtRandom(method)) return refuse("--rescale", "dare-linear and dare-ties");
    if (options.seed != 0 && !merge::dropsAtRandom(method)) return refuse("--seed", "dare-linear and dare-ties");
    if (options.t && method != MergeMethod::Slerp) return refuse("--t", "slerp");
    if (options.baseWeight && method != MergeMethod::Linear) return refuse("--base-weight", "linear");
    const bool hasDifferences = method == MergeMethod::TaskArithmetic || merge::dropsDifferences(method);
    if (options.lambda && !hasDifferences) return refuse("--lambda", "task-arithmetic, ties, dare-linear and dare-ties");
    const bool hasSum = hasDifferences || method == MergeMethod::Linear;
    if (!options.normalize.empty() && !hasSum) return refuse("--normalize", "methods with weights");
    if (!options.layers.empty() && method != MergeMethod::Layers) return refuse("--layers", "layers");
    if (method == MergeMethod::Slerp && !options.t) return invalid("--t", WB_TEXT("--method slerp requires --t, from 0 to 1."));
    return {};
}

Result<void> readWords(const MergeOptions& options, merge::MergeSettings& settings) {
    if (!options.normalize.empty()) {
        if (options.normalize != "yes" && options.normalize != "no")
            return invalid("--normalize", WB_TEXT("--normalize takes yes or no."));
        settings.normalizes = options.normalize == "yes";
    }
    if (!options.rescale.empty()) {
        const auto rescale = merge::mergeRescaleFromName(options.rescale);
        if (!rescale) return invalid("--rescale", WB_TEXT("--rescale takes density, l1 or no."));
        settings.rescale = *rescale;
    }
    for (const std::string& text : options.rules) {
        WB_TRY_ASSIGN(merge::MergeRule rule, merge::parseMergeRule(text));
        settings.rules.push_back(std::move(rule));
    }
    if (!options.layers.empty()) {
        WB_TRY_ASSIGN(settings.layers, merge::parseLayerSlices(options.layers));
    }
    return {};
}

void readModels(const MergeOptions& options, MergeChoices& choices) {
    for (const std::string& text : options.models) {
        const std::size_t equals = text.rfind('=');
        const auto weight = equals == std::string::npos ? std::nullopt : parseDouble(std::string_view(text).substr(equals + 1));
        choices.models.push_back(absolutePath(weight ? text.substr(0, equals) : text));
        choices.settings.weights.push_back(weight.value_or(1));
    }
}

} // namespace

void addMergeOptions(CLI::App& command, MergeOptions& options) {
    addRepeated(command, "--with", options.models, "Model to merge with BASE and its weight (default: 1); repeatable")
        ->type_name("MODEL[=WEIGHT]");
    command
        .add_option("--method", options.method,
                    "Merge method: linear, slerp, task-arithmetic, ties, dare-linear, dare-ties or layers")
        ->type_name("METHOD")
        ->check(checkNotEmpty);
    command.add_option("--base-weight", options.baseWeight, "Weight of BASE; linear (default: 1)")->type_name("W");
    command.add_option("--t", options.t, "Position between BASE (0) and the other model (1); slerp")->type_name("T");
    command.add_option("--density", options.density, "Share of the differences that is kept; ties, dare (default: 1)")
        ->type_name("D");
    command.add_option("--lambda", options.lambda, "Factor of the merged differences (default: 1)")->type_name("L");
    command.add_option("--seed", options.seed, "Seed of the random masks; dare (default: 0)")->type_name("N");
    command.add_option("--normalize", options.normalize, "Divide by the sum of weights: yes (default of linear, ties) or no")
        ->type_name("yes|no");
    command.add_option("--rescale", options.rescale, "Scale of kept differences: density (default), l1 or no; dare")
        ->type_name("MODE");
    addRepeated(command, "--rule", options.rules, "Another weight, density or t for tensors that match; V,V,… is a gradient")
        ->type_name("REGEX:KEY=V");
    command
        .add_option("--recipe", options.recipeFile,
                    "Read the models and settings from a mergekit configuration; BASE replaces its base")
        ->type_name("FILE.yml")
        ->check(checkNotEmpty);
    command.add_option("--save-recipe", options.saveRecipeFile, "Save the merge as a mergekit configuration")
        ->type_name("FILE.yml")
        ->check(checkNotEmpty);
    command.add_flag("--compare-parents", options.comparesParents,
                     "After merging models, print how far every tensor is from each of them");
    command.add_option("--layers", options.layers, "Layers of the result: A:0-15,B:8-31, where A is BASE; layers")
        ->type_name("LIST")
        ->check(checkNotEmpty);
    command.add_option("--tokenizer", options.tokenizer, "Tokenizer if vocabularies differ: base, or one of the --with models")
        ->type_name("base|MODEL")
        ->check(checkNotEmpty);
}

Result<MergeChoices> readMergeChoices(const MergeOptions& options) {
    MergeChoices choices;
    if (options.recipe) return *options.recipe;
    if (!options.isGiven()) return choices;
    merge::MergeSettings& settings = choices.settings;
    WB_TRY_ASSIGN(settings.method, optionsMethod(options));
    WB_TRY(checkBelongs(options, settings.method));
    readModels(options, choices);
    settings.baseWeight = options.baseWeight.value_or(settings.baseWeight);
    settings.t = options.t.value_or(settings.t);
    settings.density = options.density.value_or(settings.density);
    settings.lambda = options.lambda.value_or(settings.lambda);
    settings.seed = options.seed;
    WB_TRY(readWords(options, settings));
    choices.tokenizer =
        options.tokenizer.empty() || options.tokenizer == "base" ? options.tokenizer : absolutePath(options.tokenizer);
    WB_TRY(checkSettings(settings));
    return choices;
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/inspect/diff.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"

#include "app/cli/open_model.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "core/base/glob.h"
#include "core/query/query.h"

#include <algorithm>

namespace wb::cli {
namespace {

struct DiffOptions {
    std::string a, b;
    std::vector<std::string> tensorGlobs;
    std::string filter;
    std::string mapFile, saveMapFile;
    bool isStructureOnly = false;
    bool tellsDifference = false;
};

constexpr int different = 3;

std::function<bool(const TensorInfo&)> wantsOf(const DiffOptions& options, const query::Query& filter) {
    if (options.tensorGlobs.empty() && options.filter.empty()) return {};
    return [&options, filter](const TensorInfo& tensor) {
        const auto matches = [&](const std::string& glob) { return glob == tensor.name || globMatches(glob, tensor.name); };
        const bool isNamed = options.tensorGlobs.empty() || std::ranges::any_of(options.tensorGlobs, matches);
        return isNamed && filter.matches({tensor, "", ""});
    };
}

// A name or pattern that neither side has is most likely mistyped.
Result<void> checkNames(const DiffOptions& options, const Model& a, const Model& b) {
    for (const std::string& glob : options.tensorGlobs) {
        const auto matches = [&](const TensorInfo& tensor) { return glob == tensor.name || globMatches(glob, tensor.name); };
        if (std::ranges::none_of(a.tensors, matches) && std::ranges::none_of(b.tensors, matches))
            return fail(ErrorCode::Invalid, Reason("cli.no_tensor"), About{baseName(options.a)},
                        WB_TEXT("{} has no tensor named {}; run wb inspect to list the names."), baseName(options.a), glob);
    }
    return {};
}

Result<diff::Comparison> compare(const Context& context, const DiffOptions& options, const query::Query& filter) {
    WB_TRY_ASSIGN(const ModelPtr a, openModel(context, options.a, formats::Strictness::Lenient));
    WB_TRY_ASSIGN(const ModelPtr b, openModel(context, options.b, formats::Strictness::Lenient));
    WB_TRY(checkNames(options, *a, *b));
    diff::Options wanted;
    if (!options.mapFile.empty()) {
        WB_TRY_ASSIGN(wanted.map, diff::readMapFile(options.mapFile));
        wanted.mapName = baseName(options.mapFile);
    }
    ProgressLine line("diff", !context.quiet);
    wanted.isStructureOnly = options.isStructureOnly;
    wanted.wants = wantsOf(options, filter);
    wanted.threads = context.threads;
    wanted.progress = {context.stop, [&line](std::uint64_t at, std::uint64_t total) { line.set(at, total); }};
    WB_TRY_ASSIGN(diff::Comparison comparison, diff::compare(a, b, wanted));
    if (!options.saveMapFile.empty()) WB_TRY(writeOutput(options.saveMapFile, mapFileText(comparison, wanted.map.ignored)));
    return comparison;
}

int diffModels(const Context& context, const DiffOptions& options) {
    const auto filter = query::parse(options.filter);
    if (!filter) return refuseUsage(filter.error().message());
    if (filter->needsStatistics()) return refuseUsage("--filter of diff takes names, types, shapes and roles, not statistics.");
    const auto comparison = compare(context, options, *filter);
    if (const auto log = openLog(context); !log) return refuse(context, log.error());
    if (!comparison) return refuse(context, comparison.error());
    logProblems(context, comparison->problems);
    if (context.json) printDiffJson(*comparison);
    else if (!context.files->usesStdout()) printDiffText(*comparison, options.a, options.b, options.isStructureOnly);
    return options.tellsDifference && comparison->isDifferent() ? different : done;
}

} // namespace

Command addDiff(CLI::App& program) {
    auto options = std::make_shared<DiffOptions>();
    CLI::App* command = program.add_subcommand("diff", "Compare two models of any formats, tensor by tensor");
    command->add_option("A", options->a, "Model file, index.json or folder, such as a quantized model")->required();
    command->add_option("B", options->b, "The model to compare with, such as its source")->required();
    addRepeated(*command, "--tensor", options->tensorGlobs,
                "Only tensors whose name in A or B matches this name or pattern (repeatable)")
        ->type_name("NAME");
    command->add_option("--filter", options->filter, "Only tensors that match this query, for example 'role:attention layer:0-3'")
        ->type_name("QUERY");
    command->add_option("--map", options->mapFile, "Pairs of tensors and names to ignore, as --save-map writes them")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--save-map", options->saveMapFile, "Write the pairs of this comparison to a file")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_flag("--structure", options->isStructureOnly, "Compare names, types and shapes; read no values");
    command->add_flag("--exit-code", options->tellsDifference, "Exit with status 3 if anything differs");
    return {command,
            [options](const Context& context) { return diffModels(context, *options); },
            {.reads = {"A", "B", "--map"}, .writes = {"--save-map"}},
            false,
            {{&options->a}, {&options->b}}};
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/convert/convert_weights.h"
#include "app/cli/convert/range_hash.h"
#include "app/cli/output_file.h"
#include "core/base/ascii.h"
#include "core/convert/gguf/modelfile.h"
#include "core/convert/merge/mergekit_file.h"
#include "core/formats/zip/member_checksums.h"

#include <algorithm>
#include <cstdio>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

Result<void> savePlan(const ConvertOptions& options, const convert::GgufPlanned& planned) {
    if (options.savePlanFile.empty()) return {};
    if (!planned.planText) return std::unexpected(planned.planText.error());
    return writeOutput(options.savePlanFile, *planned.planText);
}

// The Modelfile is its own output.
Result<void> checkFiles(const Context& context, const ConvertOptions& options, const ConvertResult& planned) {
    if (options.modelfile && !options.dryRun) WB_TRY(context.files->alsoWrite(fs::path(options.out).parent_path() / "Modelfile"));
    return checkJobFiles(context, *planned.work.job, planned.conversion().folder.files, options.out);
}

Result<void> addHashes(const std::string& path, ConvertResult& result) {
    std::vector<TensorBytes> tensors;
    for (const ConvertRow& row : convertRows(result)) tensors.push_back({row.file, row.offset, row.bytes});
    WB_TRY_ASSIGN(NewHashes hashes, newHashes(result.work.job->targets(fs::path(path)), tensors));
    result.fileHashes = std::move(hashes.files);
    result.tensorHashes = std::move(hashes.tensors);
    return {};
}

int show(const Context& context, const ConvertOptions& options, ConvertResult result) {
    logProblems(context, convertProblems(result));
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson)
        if (const auto hashed = addHashes(options.out, result); !hashed) return refuse(context, hashed.error(), options.out);
    if (result.done && (wantsJson || options.merge.comparesParents)) {
        auto changes = tensorChanges(context, *result.conversion().folder.model);
        if (!changes) return refuse(context, changes.error(), options.in);
        result.changes = std::move(*changes);
    }
    const std::string json = wantsJson ? convertJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printConvertTables(options, result, context.quiet);
    if (options.merge.comparesParents && !context.json && !context.files->usesStdout()) printParents(result.changes, context.quiet);
    if (const auto report = writeOutput(options.reportFile, json); !report)
        return refuse(context, report.error(), options.reportFile);
    return done;
}

// What only safetensors can be asked for would be left undone without a word.
bool asksForTensors(const ConvertOptions& options) {
    return !options.tensors.empty() || !options.renames.empty() || options.withOptimizer;
}

int runConversion(const Context& context, const ConvertOptions& options, const convert::GgufPlanned& planned) {
    LazyBackend backend(context);
    if (const auto device = backend.requireNamed(); planned.quantized && !device) return refuse(context, device.error());
    const auto outcome = runJob(context, *planned.job, options.run(), backend);
    if (!outcome) return refuseRun(context, *planned.job, options.run(), outcome.error());
    const ConvertResult result{planned, &*outcome, {}, {}, {}};
    const int status = show(context, options, result);
    if (status != done || !options.modelfile) return status;
    const auto command = convert::writeModelfile(fs::path(options.out), result.conversion().folder.model.get(), true);
    if (!command) return refuse(context, command.error(), options.out);
    if (!context.json && !context.files->usesStdout())
        std::printf("\nWrote Modelfile; register the model with:\n  %s\n", command->c_str());
    return status;
}

int convertGguf(const Context& context, const ConvertOptions& options) {
    if (asksForTensors(options))
        return refuseUsage("--tensor, --rename and --with-optimizer are for safetensors; a GGUF file holds the whole model. Remove "
                           "these options.");
    if (options.modelfile && options.split.isGiven())
        return refuseUsage("--modelfile is for a single GGUF file; remove it, or the options that split the file.");
    const bool isMerged = options.merge.isGiven() || !options.adapters.empty();
    if (!isMerged && isGgufFile(options.in)) return copyGguf(context, options);
    const auto request = ggufRequest(context, options);
    if (!request && request.error().code == ErrorCode::Invalid) return refuseUsage(request.error().message());
    if (!request) return refuse(context, request.error(), options.planFile.empty() ? options.mix.tensorTypeFile : options.planFile);
    const convert::GgufPlanned planned = planAsking(context, *request, options.in);
    if (planned.failure) return refuseJob(context, *planned.failure);
    const ConvertResult dry{planned, nullptr, {}, {}, {}};
    if (const auto files = checkFiles(context, options, dry); !files) return refuse(context, files.error());
    if (const auto saved = savePlan(options, planned); !saved) return refuse(context, saved.error(), options.savePlanFile);
    return options.dryRun ? show(context, options, dry) : runConversion(context, options, planned);
}

} // namespace

int convert(const Context& context, const ConvertOptions& options) {
    if (const auto vendor = convert::vendorTargetFromWord(options.to)) return convertByVendor(context, options, *vendor);
    if (options.runTool) return refuseUsage("--run belongs to --to with the format of another program: tensorrt, openvino …");
    const auto target = convertTarget(options);
    if (!target) return refuseUsage(target.error().message());
    if (const auto verify = parseVerify(options.verify); !verify) return refuseUsage(verify.error().message());
    if (*target == ConvertTarget::Onnx) return convertGraph(context, options);
    if (!options.graph.empty()) return refuseUsage("--graph belongs to a conversion to ONNX: name OUT.onnx.");
    return *target == ConvertTarget::Gguf ? convertGguf(context, options) : convertWeights(context, options, *target);
}

namespace {

// The options with the recipe that they name.
Result<ConvertOptions> withRecipe(ConvertOptions options) {
    if (options.merge.recipeFile.empty()) return options;
    WB_TRY_ASSIGN(convert::MergekitRecipe recipe, convert::readMergekit(fs::path(options.merge.recipeFile)));
    options.merge.recipe = std::move(recipe.choices);
    if (options.type.empty() && options.outType.empty() && recipe.type) options.type = name(*recipe.type);
    return options;
}

Result<void> saveRecipe(const ConvertOptions& options) {
    if (options.merge.saveRecipeFile.empty()) return {};
    convert::MergekitRecipe recipe{absolutePath(options.in), {}, {}};
    WB_TRY_ASSIGN(recipe.choices, readMergeChoices(options.merge));
    const auto type = dtypeFromName(options.type);
    if (type == Dtype::F32 || type == Dtype::F16 || type == Dtype::BF16) recipe.type = type;
    WB_TRY_ASSIGN(const std::string text, convert::mergekitText(recipe));
    return writeOutput(options.merge.saveRecipeFile, text);
}

} // namespace

int merge(const Context& context, const ConvertOptions& given) {
    if (given.merge.isGiven() && !given.adapters.empty())
        return refuseUsage("--with and --adapter are mutually exclusive; merge the adapters first, then the models.");
    if (given.merge.isGiven() && !given.planFile.empty())
        return refuseUsage("--plan already specifies the models and how they are merged; remove the other options about them.");
    if (!given.merge.isGiven() && given.adapters.empty() && given.planFile.empty())
        return refuseUsage("--adapter or --with is required: it names an adapter or another model to merge.");
    if (!given.merge.recipeFile.empty() && (!given.merge.models.empty() || given.merge.hasSettings()))
        return refuseUsage("--recipe already specifies the models and how they are merged; remove the other options about them.");
    if (!given.merge.saveRecipeFile.empty() && !given.merge.isGiven())
        return refuseUsage("--save-recipe belongs to --with: it describes how models are merged.");
    const auto options = withRecipe(given);
    if (!options) return refuse(context, options.error(), given.merge.recipeFile);
    const auto saved = saveRecipe(*options);
    if (!saved && saved.error().code == ErrorCode::Invalid) return refuseUsage(saved.error().message());
    if (!saved) return refuse(context, saved.error(), given.merge.saveRecipeFile);
    return convert(context, *options);
}

} // namespace wb::cli

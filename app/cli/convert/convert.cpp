// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/convert/convert_weights.h"
#include "app/cli/convert/range_hash.h"
#include "app/cli/output_file.h"
#include "core/base/ascii.h"
#include "core/convert/gguf/modelfile.h"
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
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    WB_TRY_ASSIGN(result.fileHash, hashOfRange(*source, 0, source->size()));
    for (const ConvertRow& row : convertRows(result)) {
        WB_TRY_ASSIGN(std::string hash, hashOfRange(*source, row.offset, row.bytes));
        result.tensorHashes.push_back(std::move(hash));
    }
    return {};
}

int show(const Context& context, const ConvertOptions& options, ConvertResult result) {
    logProblems(context, convertProblems(result));
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson) {
        if (const auto hashed = addHashes(options.out, result); !hashed) return refuse(context, hashed.error(), options.out);
        auto changes = tensorChanges(context, *result.conversion().folder.model);
        if (!changes) return refuse(context, changes.error(), options.in);
        result.changes = std::move(*changes);
    }
    const std::string json = wantsJson ? convertJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printConvertTables(options, result, context.quiet);
    if (const auto report = writeOutput(options.reportFile, json); !report)
        return refuse(context, report.error(), options.reportFile);
    return done;
}

// What only safetensors can be asked for would be left undone without a word.
bool asksForShards(const ConvertOptions& options) {
    const bool divides = !options.shardSize.empty() && !ascii::same(options.shardSize, "none");
    return divides || options.maxTensors > 0 || !options.tensors.empty() || !options.renames.empty() || options.withOptimizer;
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
    if (asksForShards(options))
        return refuseUsage("--shard-size, --max-tensors, --tensor, --rename and --with-optimizer are for safetensors; a GGUF file "
                           "holds the whole model. "
                           "Remove these options; to split the file, use llama-gguf-split.");
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
    const auto target = convertTarget(options);
    if (!target) return refuseUsage(target.error().message());
    if (const auto verify = parseVerify(options.verify); !verify) return refuseUsage(verify.error().message());
    return *target == ConvertTarget::Gguf ? convertGguf(context, options) : convertWeights(context, options, *target);
}

int merge(const Context& context, const ConvertOptions& options) {
    if (options.merge.isGiven() && !options.adapters.empty())
        return refuseUsage("--with and --adapter are mutually exclusive; merge the adapters first, then the models.");
    if (options.merge.isGiven() && !options.planFile.empty())
        return refuseUsage("--plan already specifies the models and how they are merged; remove the other options about them.");
    if (!options.merge.isGiven() && options.adapters.empty() && options.planFile.empty())
        return refuseUsage("--adapter or --with is required: it names an adapter or another model to merge.");
    return convert(context, options);
}

} // namespace wb::cli

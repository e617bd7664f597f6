// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert_weights.h"

#include "core/base/glob.h"
#include "app/cli/convert/range_hash.h"
#include "app/cli/output_file.h"
#include "core/base/ascii.h"
#include "core/regex/regex.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using convert::WeightsPlan;
using convert::WeightsRequest;

std::unexpected<Error> invalidOption(const std::string& subject, const char* sentence) {
    return fail(ErrorCode::Invalid, Reason("cli.options"), About{subject}, sentence, subject);
}

Result<std::optional<Dtype>> optionsType(const ConvertOptions& options) {
    const std::string& text = options.type.empty() ? options.outType : options.type;
    if (text.empty() || ascii::same(text, "auto")) return std::nullopt;
    const auto type = dtypeFromName(text);
    const auto known = convert::weightTypes();
    if (type && std::ranges::find(known, *type) != known.end()) return type;
    return invalidOption(text, WB_TEXT("{} is not a supported safetensors type; use auto, F32, F16, BF16 or F8_E4M3."));
}

// REGEX=TEXT: every match becomes TEXT.
struct Renaming {
    regex::Regex pattern;
    std::string text;

    std::string of(const std::string& name) const {
        std::string out;
        std::size_t at = 0;
        while (at <= name.size()) {
            const auto match = pattern.find(name, at);
            if (!match) break;
            out += name.substr(at, match->begin - at) + text;
            if (match->end == match->begin && match->begin < name.size()) out += name[match->begin];
            at = std::max(match->end, match->begin + (match->end == match->begin ? 1 : 0));
        }
        return at < name.size() ? out + name.substr(at) : out;
    }
};

Result<std::vector<Renaming>> optionsRenamings(const ConvertOptions& options) {
    std::vector<Renaming> all;
    for (const std::string& text : options.renames) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0)
            return invalidOption(text, WB_TEXT("{} does not have the form REGEX=TEXT."));
        auto pattern = regex::Regex::compile(std::string_view(text).substr(0, equals));
        if (!pattern) return invalidOption(text.substr(0, equals), WB_TEXT("{} is not a regular expression."));
        all.push_back({std::move(*pattern), text.substr(equals + 1)});
    }
    return all;
}

Result<WeightsRequest> weightsRequest(const ConvertOptions& options, ConvertTarget target) {
    WeightsRequest request;
    WB_TRY_ASSIGN(request.type, optionsType(options));
    const bool isFile = ascii::same(io::pathText(fs::path(options.out).extension()), ".safetensors");
    request.isFolder = target == ConvertTarget::HuggingFace || !isFile;
    if (!request.isFolder) request.shardBytes = 0; // a file by name is one file unless asked otherwise
    if (!options.split.shardSize.empty()) {
        WB_TRY_ASSIGN(request.shardBytes, parseShardBytes(options.split.shardSize));
    }
    request.shardTensors = options.split.maxTensors;
    if (!options.tensors.empty())
        request.wants = [patterns = options.tensors](const std::string& name) {
            return std::ranges::any_of(patterns, [&](const std::string& pattern) { return globMatches(pattern, name); });
        };
    request.withTrainingState = options.withOptimizer;
    WB_TRY_ASSIGN(const auto renamings, optionsRenamings(options));
    if (!renamings.empty())
        request.renamed = [renamings](std::string name) {
            for (const Renaming& renaming : renamings) name = renaming.of(name);
            return name;
        };
    return request;
}

// Options of GGUF files only.
Result<void> checkWeightsOptions(const ConvertOptions& options) {
    const std::array<std::pair<bool, const char*>, 8> wrong = {{{!options.preTokenizer.empty(), "--pre"},
                                                                {!options.templateFile.empty(), "--template"},
                                                                {options.vocabOnly, "--vocab-only"},
                                                                {!options.keepQuantized, "--keep-quantized"},
                                                                {options.modelfile, "--modelfile"},
                                                                {options.split.noTensorFirst, "--no-tensor-first-split"},
                                                                {!options.mix.imatrix.empty(), "--imatrix"},
                                                                {!options.mix.overrides.empty(), "--override-kv"}}};
    for (const auto& [isGiven, name] : wrong)
        if (isGiven) return invalidOption(name, WB_TEXT("{} applies to GGUF files only; remove it, or write a GGUF file."));
    return {};
}

Result<void> addWeightsHashes(const ConvertOptions& options, WeightsResult& result) {
    const WeightsPlan& plan = result.plan;
    const auto paths = plan.paths(fs::path(options.out));
    std::vector<std::shared_ptr<io::FileSource>> files;
    for (const fs::path& path : paths) {
        WB_TRY_ASSIGN(auto file, io::FileSource::open(path));
        files.push_back(std::move(file));
        WB_TRY_ASSIGN(std::string hash, hashOfRange(*files.back(), 0, files.back()->size()));
        result.fileHashes.push_back(std::move(hash));
    }
    for (const convert::PlannedWeight& weight : plan.tensors) {
        const io::FileSource& file = *files[plan.texts.size() + weight.file];
        WB_TRY_ASSIGN(std::string hash, hashOfRange(file, weight.offset, weight.bytes));
        result.tensorHashes.push_back(std::move(hash));
    }
    return {};
}

Result<convert::SafetensorsPlanned> planWithQuestion(const Context& context, convert::SafetensorsRequest request) {
    const Progress progress{context.stop, {}};
    auto planned = planSafetensors(request, progress);
    if (planned || !confirms(context, planned.error())) return planned;
    request.isTrusted = true;
    return planSafetensors(request, progress);
}

// A saved plan decides about everything but the source, the target and how it is run.
Result<convert::SafetensorsRequest> requestOfPlan(const ConvertOptions& options) {
    const bool hasOwn = !options.type.empty() || !options.outType.empty() || options.split.isGiven() || !options.tensors.empty() ||
                        !options.renames.empty() || options.withOptimizer || !options.metadataFile.empty() ||
                        !options.adapters.empty();
    if (hasOwn)
        return invalidOption(
            "--plan", WB_TEXT("{} already specifies types, names, shards and adapters; remove the other options about them."));
    WB_TRY_ASSIGN(const convert::WeightsPlanFile file, convert::readWeightsPlan(fs::path(options.planFile)));
    const bool isFile = ascii::same(io::pathText(fs::path(options.out).extension()), ".safetensors");
    if (file.isFolder == isFile)
        return invalidOption(options.out,
                             WB_TEXT("{} does not match the plan's output: one is a folder, the other a .safetensors file."));
    return convert::requestFromPlan(file, {}, {});
}

Result<convert::SafetensorsRequest> safetensorsRequest(const Context& context, const ConvertOptions& options,
                                                       ConvertTarget target) {
    convert::SafetensorsRequest request;
    if (options.planFile.empty()) {
        WB_TRY_ASSIGN(request.weights, weightsRequest(options, target));
        request.adapters = adapterFiles(options);
        WB_TRY_ASSIGN(request.merge, readMergeChoices(options.merge));
    } else {
        WB_TRY_ASSIGN(request, requestOfPlan(options));
    }
    request.source = fs::path(options.in);
    request.target = fs::path(options.out);
    request.isTrusted = request.isTrusted || options.yes;
    request.threads = context.threads;
    return request;
}

int showWeights(const Context& context, const ConvertOptions& options, WeightsResult result) {
    std::vector<Problem> problems = result.plan.problems;
    if (result.done) problems.insert(problems.end(), result.done->remarks.begin(), result.done->remarks.end());
    logProblems(context, problems);
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson)
        if (const auto hashed = addWeightsHashes(options, result); !hashed) return refuse(context, hashed.error(), options.out);
    if (result.done && (wantsJson || options.merge.comparesParents)) {
        auto changes = tensorChanges(context, *result.plan.model);
        if (!changes) return refuse(context, changes.error(), options.in);
        result.changes = std::move(*changes);
    }
    const std::string json = wantsJson ? weightsJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printWeightsTables(options, result, context.quiet);
    if (options.merge.comparesParents && !context.json && !context.files->usesStdout()) printParents(result.changes, context.quiet);
    const auto report = writeOutput(options.reportFile, json);
    return report ? done : refuse(context, report.error(), options.reportFile);
}

} // namespace

int convertWeights(const Context& context, const ConvertOptions& options, ConvertTarget target) {
    if (const auto fits = checkWeightsOptions(options); !fits) return refuseUsage(fits.error().message());
    auto request = safetensorsRequest(context, options, target);
    if (!request && request.error().code == ErrorCode::Invalid) return refuseUsage(request.error().message());
    if (!request) return refuse(context, request.error(), options.planFile);
    auto metadata = metadataFromFile(options.metadataFile);
    if (!metadata) return refuse(context, metadata.error(), options.metadataFile);
    std::erase_if(*metadata, [](const auto& entry) { return entry.first == "format"; });
    if (options.planFile.empty()) request->weights.metadata = std::move(*metadata);
    const auto planned = planWithQuestion(context, *request);
    if (!planned) return refuseJob(context, named(baseName(options.in), planned.error()));
    const WeightsPlan& plan = *planned->plan;
    if (const auto files = checkJobFiles(context, *planned->job, plan.sources, options.out); !files)
        return refuse(context, files.error());
    if (const auto saved = writeOutput(options.savePlanFile, planned->job->planText()); !saved)
        return refuse(context, saved.error(), options.savePlanFile);
    if (options.dryRun) return showWeights(context, options, {plan, nullptr, {}, {}, {}});
    LazyBackend backend(context);
    const auto outcome = runJob(context, *planned->job, options.run(), backend);
    if (!outcome) return refuseRun(context, *planned->job, options.run(), outcome.error());
    return showWeights(context, options, {plan, &*outcome, {}, {}, {}});
}

} // namespace wb::cli

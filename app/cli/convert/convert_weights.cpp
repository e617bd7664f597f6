// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert_weights.h"

#include "app/cli/glob.h"
#include "app/cli/convert/kept_work.h"
#include "app/cli/progress_line.h"
#include "app/cli/convert/range_hash.h"
#include "app/cli/same_file.h"
#include "app/cli/user_folders.h"
#include "core/base/ascii.h"
#include "core/convert/restore/restore_folder.h"
#include "core/convert/run/work_files.h"
#include "core/formats/zip/member_checksums.h"
#include "core/io/atomic_writer.h"
#include "core/regex/regex.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using convert::WeightsPlan;
using convert::WeightsRequest;

std::unexpected<Error> invalid(const std::string& subject, const char* sentence) {
    return fail(ErrorCode::Invalid, Reason("cli.options"), About{subject}, sentence, subject);
}

Result<std::optional<Dtype>> typeOf(const ConvertOptions& options) {
    const std::string& text = options.type.empty() ? options.outType : options.type;
    if (text.empty() || ascii::same(text, "auto")) return std::nullopt;
    const auto type = dtypeFromName(text);
    const auto known = convert::weightTypes();
    if (type && std::ranges::find(known, *type) != known.end()) return type;
    return invalid(text,
                   WB_TEXT("{} is not a type that safetensors are cast to here; it is one of auto, F32, F16, BF16 and F8_E4M3."));
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

Result<std::vector<Renaming>> renamingsOf(const ConvertOptions& options) {
    std::vector<Renaming> all;
    for (const std::string& text : options.renames) {
        const std::size_t equals = text.rfind('=');
        if (equals == std::string::npos || equals == 0) return invalid(text, WB_TEXT("{} is not of the form REGEX=TEXT."));
        auto pattern = regex::Regex::compile(std::string_view(text).substr(0, equals));
        if (!pattern) return invalid(text.substr(0, equals), WB_TEXT("{} is not a regular expression."));
        all.push_back({std::move(*pattern), text.substr(equals + 1)});
    }
    return all;
}

Result<WeightsRequest> requestOf(const ConvertOptions& options, ConvertTarget target) {
    WeightsRequest request;
    WB_TRY_ASSIGN(request.type, typeOf(options));
    const bool isFile = ascii::same(io::pathText(fs::path(options.out).extension()), ".safetensors");
    request.isFolder = target == ConvertTarget::HuggingFace || !isFile;
    if (!request.isFolder) request.shardBytes = 0; // a file by name is one file unless asked otherwise
    if (!options.shardSize.empty()) {
        WB_TRY_ASSIGN(request.shardBytes, shardBytesOf(options.shardSize));
    }
    request.shardTensors = options.maxTensors;
    if (!options.tensors.empty())
        request.wants = [patterns = options.tensors](const std::string& name) {
            return std::ranges::any_of(patterns, [&](const std::string& pattern) { return globMatches(pattern, name); });
        };
    WB_TRY_ASSIGN(const auto renamings, renamingsOf(options));
    if (!renamings.empty())
        request.renamed = [renamings](std::string name) {
            for (const Renaming& renaming : renamings) name = renaming.of(name);
            return name;
        };
    return request;
}

// What belongs to GGUF files alone.
Result<void> checkOptions(const ConvertOptions& options) {
    const std::array<std::pair<bool, const char*>, 6> wrong = {{{!options.preTokenizer.empty(), "--pre"},
                                                                {!options.templateFile.empty(), "--template"},
                                                                {options.vocabOnly, "--vocab-only"},
                                                                {options.modelfile, "--modelfile"},
                                                                {!options.mix.imatrix.empty(), "--imatrix"},
                                                                {!options.mix.overrides.empty(), "--override-kv"}}};
    for (const auto& [isGiven, name] : wrong)
        if (isGiven) return invalid(name, WB_TEXT("{} is for GGUF files; leave it out, or write one."));
    return {};
}

// Also on the report and the log.
Result<void> checkNames(const ConvertOptions& options, const WeightsPlan& plan, const std::string& logFile) {
    const fs::path target(options.out);
    const auto taken = run::workFiles(target, plan.paths(target));
    for (const std::string& path : {options.reportFile, options.savePlanFile, logFile}) {
        if (path.empty()) continue;
        const bool isTaken = std::ranges::any_of(taken, [&](const fs::path& other) { return isSameFile(path, other); });
        if (isTaken || run::sourceAt(plan.sources, fs::path(path))) return namedTwice(path);
    }
    return {};
}

Result<convert::WeightsOutcome> execute(const Context& context, const ConvertOptions& options, const WeightsPlan& plan,
                                        const std::string& text) {
    if (!options.yes) WB_TRY(zip::requireChecksums(*plan.model, {context.stop, {}}));
    const fs::path state = stateFolder(), target(options.out);
    const std::string kind = options.adapters.empty() ? "convert" : "merge";
    std::unique_ptr<run::Claim> claim;
    if (!state.empty()) {
        auto claimed = run::claim(state, {kind, target, fs::path(options.in), text, plan.paths(target), options.force});
        if (claimed) claim = std::move(*claimed);
        else log(context, claimed.error().message());
    }
    ProgressLine line(kind, !context.quiet);
    convert::WeightsOptions run;
    run.run.threads = context.threads;
    run.run.replace = options.force;
    run.run.restart = options.restart;
    run.run.claim = claim.get();
    run.verify = options.verify == "all" ? run::Verify::All : run::Verify::Sample;
    run.kind = kind;
    const Progress progress{context.stop, [&line, bytes = plan.fileBytes()](std::uint64_t done, std::uint64_t total) {
                                line.set(shareOf(bytes, done, total), bytes);
                            }};
    return convert::runWeights(plan, target, run, progress);
}

Result<void> addHashes(const ConvertOptions& options, WeightsResult& result) {
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

// A GGUF file becomes the folder that it could have been made of; everything else keeps its names.
Result<WeightsPlan> planOf(const Context& context, const ConvertOptions& options, WeightsRequest& request) {
    WB_TRY_ASSIGN(ModelPtr model, openSource(context, options));
    std::vector<Problem> problems;
    if (request.isFolder && model->format == "gguf") {
        WB_TRY_ASSIGN(convert::RestoredFolder restored, convert::restoreFolder(model));
        model = std::move(restored.model);
        request.texts = std::move(restored.texts);
        problems = std::move(restored.problems);
    }
    WB_TRY_ASSIGN(model, mergeInto(context, options, adaptersOf(options), model));
    WB_TRY_ASSIGN(WeightsPlan plan, convert::planWeights(std::move(model), request, fs::path(options.out)));
    plan.problems.insert(plan.problems.begin(), problems.begin(), problems.end());
    return plan;
}

// What was decided, tensor by tensor, for a plan file and for the window, which can go on with the run.
std::string planText(const ConvertOptions& options, const WeightsRequest& request, const WeightsPlan& plan) {
    convert::WeightsPlanFile file;
    file.isFolder = request.isFolder;
    file.type = request.type;
    file.types = request.types;
    file.shardBytes = request.shardBytes;
    file.shardTensors = request.shardTensors;
    file.trustsSource = options.yes;
    file.metadata = request.metadata;
    file.adapters = adaptersOf(options);
    for (const TensorInfo& tensor : plan.model->tensors) {
        if (tensor.logical) continue;
        if (request.wants && !request.wants(tensor.name)) file.leftOut.insert(tensor.name);
        else if (request.renamed && request.renamed(tensor.name) != tensor.name)
            file.names[tensor.name] = request.renamed(tensor.name);
    }
    return convert::weightsPlanText(file);
}

Result<void> savePlan(const std::string& path, const std::string& text) {
    if (path.empty()) return {};
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(fs::path(path)));
    WB_TRY(writer.write(text));
    return writer.commit();
}

// A saved plan decides about everything but the source, the target and how it is run.
Result<WeightsRequest> requestOfPlan(ConvertOptions& options) {
    const bool hasOwn = !options.type.empty() || !options.outType.empty() || !options.shardSize.empty() || options.maxTensors > 0 ||
                        !options.tensors.empty() || !options.renames.empty() || !options.metadataFile.empty() ||
                        !options.adapters.empty();
    if (hasOwn)
        return invalid("--plan",
                       WB_TEXT("{} decides about types, names, shards and adapters; leave the other options about them out."));
    WB_TRY_ASSIGN(const convert::WeightsPlanFile file, convert::readWeightsPlan(fs::path(options.planFile)));
    const bool isFile = ascii::same(io::pathText(fs::path(options.out).extension()), ".safetensors");
    if (file.isFolder == isFile)
        return invalid(options.out,
                       WB_TEXT("{} is not what the plan writes: it is a folder for one and a .safetensors file for the other."));
    for (const convert::AdapterFile& adapter : file.adapters)
        options.adapters.push_back(fmt::format("{}={}", adapter.path, adapter.scale));
    options.yes = options.yes || file.trustsSource;
    return convert::requestOf(file);
}

constexpr std::array remedies = {Remedy{run::targetExists, "--force"}, Remedy{zip::checksumDiffers, "--yes"}};

int show(const Context& context, const ConvertOptions& options, WeightsResult result) {
    std::vector<Problem> problems = result.plan.problems;
    if (result.done) problems.insert(problems.end(), result.done->remarks.begin(), result.done->remarks.end());
    logProblems(context, problems);
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson) {
        if (const auto hashed = addHashes(options, result); !hashed) return refuse(context, hashed.error(), options.out);
        auto changes = changesOf(context, *result.plan.model);
        if (!changes) return refuse(context, changes.error(), options.in);
        result.changes = std::move(*changes);
    }
    const std::string json = wantsJson ? weightsJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else printWeightsTables(options, result);
    if (options.reportFile.empty()) return done;
    auto writer = io::AtomicWriter::create(fs::path(options.reportFile));
    auto written = writer ? writer->write(json) : std::unexpected(writer.error());
    if (written) written = writer->commit();
    return written ? done : refuse(context, written.error(), options.reportFile);
}

} // namespace

int convertWeights(const Context& context, const ConvertOptions& given, ConvertTarget target) {
    ConvertOptions options = given;
    if (const auto fits = checkOptions(options); !fits) return refuseUsage(fits.error().message());
    auto request = options.planFile.empty() ? requestOf(options, target) : requestOfPlan(options);
    if (!request && request.error().code == ErrorCode::Invalid) return refuseUsage(request.error().message());
    if (!request) return refuse(context, request.error(), options.planFile);
    if (const auto log = context.log->check(); !log) return refuse(context, log.error(), context.log->path);
    auto metadata = metadataOf(options.metadataFile);
    if (!metadata) return refuse(context, metadata.error(), options.metadataFile);
    std::erase_if(*metadata, [](const auto& entry) { return entry.first == "format"; });
    if (options.planFile.empty()) request->metadata = std::move(*metadata);
    auto plan = planOf(context, options, *request);
    if (!plan) return refuse(context, plan.error(), options.in);
    if (const auto names = checkNames(options, *plan, context.log->path); !names) return refuseUsage(names.error().message());
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const std::string text = planText(options, *request, *plan);
    if (const auto saved = savePlan(options.savePlanFile, text); !saved)
        return refuse(context, saved.error(), options.savePlanFile);
    if (options.dryRun) return show(context, options, {*plan, nullptr, {}, {}, {}});
    const auto done = execute(context, options, *plan, text);
    if (!done && done.error().code == ErrorCode::Cancelled) {
        const int status = refuse(context, done.error());
        sayKeptWork(context, run::workFiles(fs::path(options.out), {fs::path(options.out)}), options.out);
        return status;
    }
    if (!done) {
        const bool isAboutTarget = done.error().code == ErrorCode::NotWritable || done.error().code == ErrorCode::NoRoom ||
                                   done.error().reason == run::targetExists;
        const std::string& subject = isAboutTarget ? options.out : options.in;
        return refuse(context, named(baseName(subject), done.error()), remedies);
    }
    return show(context, options, {*plan, &*done, {}, {}, {}});
}

} // namespace wb::cli

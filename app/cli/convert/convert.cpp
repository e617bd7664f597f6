// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/convert/kept_work.h"
#include "app/cli/convert/lazy_backend.h"
#include "app/cli/convert/convert_weights.h"
#include "app/cli/progress_line.h"
#include "app/cli/convert/range_hash.h"
#include "app/cli/same_file.h"
#include "app/cli/user_folders.h"
#include "core/base/ascii.h"
#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/modelfile.h"
#include "core/convert/gguf/tokenizer_json.h"
#include "core/convert/gguf/vocabulary.h"
#include "core/convert/run/work_files.h"
#include "core/formats/zip/member_checksums.h"
#include "core/io/atomic_writer.h"
#include "core/io/sha256.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

Result<void> checkNames(const ConvertOptions& options, const std::string& logFile) {
    const fs::path out(options.out);
    std::vector<fs::path> taken = run::workFiles(out, {out});
    const auto isTaken = [&taken](const std::string& path) {
        return std::ranges::any_of(taken, [&](const fs::path& other) { return isSameFile(path, other); });
    };
    for (const std::string& read : {options.planFile, options.templateFile, options.mix.tensorTypeFile, options.mix.imatrix}) {
        if (read.empty()) continue;
        if (isTaken(read)) return namedTwice(read);
        taken.emplace_back(read);
    }
    for (const std::string& path : {options.reportFile, options.savePlanFile, logFile}) {
        if (path.empty()) continue;
        if (isTaken(path)) return namedTwice(path);
        taken.emplace_back(path);
    }
    return {};
}

// A file that would replace one of the folder or the matrix.
Result<void> checkSources(const ConvertOptions& options, const ConvertWork& work, const std::string& logFile) {
    for (const std::string& written : {options.reportFile, options.savePlanFile, logFile})
        if (!written.empty() && run::sourceAt(work.conversion->folder.files, fs::path(written))) return namedTwice(written);
    if (options.reportFile.empty()) return {};
    WB_TRY_ASSIGN(const auto unused, io::AtomicWriter::create(fs::path(options.reportFile)));
    return {};
}

Result<void> writeReport(const std::string& path, const std::string& text) {
    if (path.empty()) return {};
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(fs::path(path)));
    WB_TRY(writer.write(text));
    return writer.commit();
}

Result<void> savePlan(const ConvertOptions& options, const ConvertWork& work) {
    if (options.savePlanFile.empty()) return {};
    if (!work.text.empty()) return writeReport(options.savePlanFile, work.text);
    return fail(ErrorCode::Unsupported, Reason("cli.no_plan"), About{options.savePlanFile},
                WB_TEXT("A plan file has no words for --outtype's rules, --metadata and --vocab-only; leave --save-plan out."));
}

Result<void> checkModelfile(const ConvertOptions& options) {
    const fs::path path = fs::path(options.out).parent_path() / "Modelfile";
    std::error_code ignored;
    if (!options.modelfile || options.force || !fs::exists(path, ignored)) return {};
    return fail(ErrorCode::Invalid, run::targetExists, About{"Modelfile"},
                WB_TEXT("{} exists already; choose another name, or let it be replaced."), "Modelfile");
}

// So that the run is listed until it ends. Null where that cannot be: the run itself goes on.
std::unique_ptr<run::Claim> claimTarget(const Context& context, const ConvertOptions& options, const ConvertWork& work) {
    const fs::path state = stateFolder(), out(options.out);
    if (state.empty()) return nullptr;
    auto claim =
        run::claim(state, {options.merges ? "merge" : "convert", out, fs::path(options.in), work.text, {out}, options.force});
    if (!claim) log(context, claim.error().message());
    return claim ? std::move(*claim) : nullptr;
}

Result<ConvertDone> execute(const Context& context, const ConvertOptions& options, const ConvertWork& work, LazyBackend& backend) {
    if (!options.yes) WB_TRY(zip::requireChecksums(*work.conversion->folder.model, {context.stop, {}}));
    const auto claim = claimTarget(context, options, work);
    ProgressLine line("convert", !context.quiet);
    quantize::QuantizeRunOptions run;
    run.claim = claim.get();
    run.threads = context.threads;
    run.replace = options.force;
    run.restart = options.restart;
    run.backend = [&backend] { return backend.get(); };
    const Progress progress{context.stop, [&line, bytes = fileBytes(work)](std::uint64_t done, std::uint64_t total) {
                                line.set(shareOf(bytes, done, total), bytes);
                            }};
    const auto verify = options.verify == "all" ? run::Verify::All : run::Verify::Sample;
    if (!work.quantized) {
        WB_TRY_ASSIGN(auto outcome, convert::runConvert(*work.conversion, fs::path(options.out), run, progress, verify));
        return ConvertDone{outcome.seconds, std::move(outcome.remarks), {}, "cpu"};
    }
    run.verify = verify;
    WB_TRY_ASSIGN(auto outcome, quantize::runQuantize(*work.quantized, fs::path(options.out), run, progress));
    return ConvertDone{outcome.seconds, std::move(outcome.remarks), std::move(outcome.errors), std::move(outcome.device)};
}

Result<void> addHashes(const std::string& path, ConvertResult& result) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    WB_TRY_ASSIGN(result.fileHash, hashOfRange(*source, 0, source->size()));
    for (const ConvertRow& row : convertRows(result.work)) {
        WB_TRY_ASSIGN(std::string hash, hashOfRange(*source, row.offset, row.bytes));
        result.tensorHashes.push_back(std::move(hash));
    }
    return {};
}

constexpr std::array remedies = {Remedy{run::targetExists, "--force"},
                                 Remedy{convert::unknownPreTokenizer, "--pre NAME"},
                                 Remedy{convert::adapterNeedsBase, "--base DIR"},
                                 Remedy{convert::preTokenizerKind, "--pre NAME"},
                                 Remedy{zip::checksumDiffers, "--yes"},
                                 Remedy{quant::needsOneType, "--pure"},
                                 Remedy{quantize::quantizedAlready, "--allow-requantize"}};

int refuseConverting(const Context& context, const Error& error) { return refuse(context, error, remedies); }

int show(const Context& context, const ConvertOptions& options, ConvertResult result) {
    logProblems(context, convertProblems(result));
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson) {
        if (const auto hashed = addHashes(options.out, result); !hashed) return refuse(context, hashed.error(), options.out);
        auto changes = changesOf(context, *result.work.conversion->folder.model);
        if (!changes) return refuse(context, changes.error(), options.in);
        result.changes = std::move(*changes);
    }
    const std::string json = wantsJson ? convertJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else printConvertTables(options, result);
    if (const auto report = writeReport(options.reportFile, json); !report)
        return refuse(context, report.error(), options.reportFile);
    return done;
}

bool isAboutTarget(const Error& error, const std::string& out) {
    return error.code == ErrorCode::NotWritable || error.code == ErrorCode::NoRoom || error.subject == baseName(out);
}

// What only safetensors can be asked for would be left undone without a word.
bool asksForShards(const ConvertOptions& options) {
    const bool divides = !options.shardSize.empty() && !ascii::same(options.shardSize, "none");
    return divides || options.maxTensors > 0 || !options.tensors.empty() || !options.renames.empty();
}

int convertGguf(const Context& context, const ConvertOptions& options) {
    if (asksForShards(options))
        return refuseUsage(
            "--shard-size, --max-tensors, --tensor and --rename are for safetensors; a GGUF file holds the whole model. "
            "Leave them out, and divide the file with llama-gguf-split where it must be in parts.");
    if (const auto names = checkNames(options, context.log->path); !names) return refuseUsage(names.error().message());
    if (const auto log = context.log->check(); !log) return refuse(context, log.error(), context.log->path);
    auto wanted = parseConvert(options, context.log->path);
    if (!wanted && wanted.error().code == ErrorCode::Invalid) return refuseUsage(wanted.error().message());
    if (!wanted) return refuse(context, wanted.error(), options.planFile.empty() ? options.mix.tensorTypeFile : options.planFile);
    const auto work = prepareConvert(context, options, std::move(*wanted));
    if (!work) return refuseConverting(context, work.error());
    if (const auto own = checkSources(options, *work, context.log->path); !own) return refuse(context, own.error());
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    if (const auto saved = savePlan(options, *work); !saved) return refuse(context, saved.error(), options.savePlanFile);
    if (options.dryRun) return show(context, options, {*work, nullptr, {}, {}, {}});
    if (const auto free = checkModelfile(options); !free) return refuseConverting(context, free.error());
    LazyBackend backend(context);
    if (const auto device = backend.requireNamed(); work->quantized && !device) return refuse(context, device.error());
    const auto done = execute(context, options, *work, backend);
    if (!done && done.error().code == ErrorCode::Cancelled) {
        const int status = refuse(context, done.error());
        sayKeptWork(context, run::workFiles(fs::path(options.out), {fs::path(options.out)}), options.out);
        return status;
    }
    if (!done)
        return refuseConverting(context,
                                named(baseName(isAboutTarget(done.error(), options.out) ? options.out : options.in), done.error()));
    const int status = show(context, options, {*work, &*done, {}, {}, {}});
    if (status != cli::done || !options.modelfile) return status;
    const auto command = convert::writeModelfile(fs::path(options.out), work->conversion->folder.model.get(), true);
    if (!command) return refuse(context, command.error(), options.out);
    if (!context.json) std::printf("\nWrote Modelfile; register the model with:\n  %s\n", command->c_str());
    return status;
}

} // namespace

int convert(const Context& context, const ConvertOptions& options) {
    const auto target = targetOf(options);
    if (!target) return refuseUsage(target.error().message());
    if (options.verify != "sample" && options.verify != "all") return refuseUsage("--verify takes sample or all.");
    return *target == ConvertTarget::Gguf ? convertGguf(context, options) : convertWeights(context, options, *target);
}

int merge(const Context& context, const ConvertOptions& options) {
    if (!options.models.empty() || !options.method.empty())
        return refuseUsage("Merging several models (--with, --method) cannot be done yet; adapters are merged with --adapter.");
    if (options.adapters.empty() && options.planFile.empty())
        return refuseUsage("--adapter is required: it names the folder of an adapter to merge.");
    ConvertOptions merging = options;
    merging.merges = true;
    return convert(context, merging);
}

} // namespace wb::cli

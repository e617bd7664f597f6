// SPDX-License-Identifier: MIT
#include "app/cli/convert.h"

#include "app/cli/progress_line.h"
#include "app/cli/same_file.h"
#include "app/cli/user_folders.h"
#include "core/base/ascii.h"
#include "core/convert/convert/tokenizer_json.h"
#include "core/convert/convert/vocabulary.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "core/io/atomic_writer.h"
#include "core/io/sha256.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

// The types by which `--type` and `--outtype` mean the same.
constexpr std::array plainTypes = {gguf::FileType::F32, gguf::FileType::F16, gguf::FileType::BF16};

std::unexpected<Error> noSuchType(const std::string& option, const std::string& text) {
    return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                WB_TEXT("{} is not a type that {} has; it is one of auto, f32, f16, bf16, q8_0, tq1_0 and tq2_0."), text, option);
}

Result<std::optional<gguf::FileType>> typeOf(const ConvertOptions& options) {
    if (!options.type.empty() && !options.outType.empty())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--type"},
                    WB_TEXT("--type and --outtype choose types by different rules; give one of them."));
    const bool isPlain = options.outType.empty();
    const std::string& text = isPlain ? options.type : options.outType;
    if (text.empty() || ascii::same(text, "auto")) return std::nullopt;
    const auto type = gguf::fileTypeFromName(text);
    const auto known = conversion::outTypes();
    if (type && std::ranges::find(isPlain ? std::span<const gguf::FileType>(plainTypes) : known, *type) !=
                    (isPlain ? std::span<const gguf::FileType>(plainTypes) : known).end())
        return type;
    if (!isPlain || !type) return noSuchType(isPlain ? "--type" : "--outtype", text);
    return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                WB_TEXT("{} is written by wb quantize from the converted file, or chosen by the converter's own rule with "
                        "--outtype."),
                text);
}

Result<void> checkNames(const ConvertOptions& options, const std::string& logFile) {
    const fs::path out(options.out);
    if (!ascii::same(io::pathText(out.extension()), ".gguf"))
        return fail(ErrorCode::Invalid, Reason("cli.target"), About{baseName(options.out)},
                    WB_TEXT("{} does not end in .gguf, which is what can be written so far."), options.out);
    std::vector<fs::path> taken = run::workFiles(out, {out});
    for (const std::string& path : {options.reportFile, logFile}) {
        if (path.empty()) continue;
        if (std::ranges::any_of(taken, [&](const fs::path& other) { return isSameFile(path, other); })) return namedTwice(path);
        taken.emplace_back(path);
    }
    return {};
}

// A report or a log that would replace a file of the folder.
Result<void> checkSources(const ConvertOptions& options, const conversion::ConvertPlan& plan, const std::string& logFile) {
    for (const std::string& written : {options.reportFile, logFile})
        if (!written.empty() && run::sourceAt(plan.folder.files, fs::path(written))) return namedTwice(written);
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

Result<conversion::ConvertPlan> planOf(const Context& context, const ConvertOptions& options, std::optional<gguf::FileType> type) {
    formats::OpenOptions open = context.openOptions();
    open.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(fs::path(options.in), open));
    return conversion::planConvert(std::move(model), {type, options.modelName, options.preTokenizer});
}

// So that the run is listed until it ends. Null where that cannot be: the run itself goes on.
std::unique_ptr<run::Claim> claimTarget(const Context& context, const ConvertOptions& options) {
    const fs::path state = stateFolder(), out(options.out);
    if (state.empty()) return nullptr;
    auto claim = run::claim(state, {"convert", out, fs::path(options.in), {}, {out}, options.force});
    if (!claim) log(context, claim.error().message());
    return claim ? std::move(*claim) : nullptr;
}

Result<conversion::ConvertOutcome> execute(const Context& context, const ConvertOptions& options,
                                           const conversion::ConvertPlan& plan) {
    const auto claim = claimTarget(context, options);
    ProgressLine line("convert", !context.quiet);
    run::RunOptions run;
    run.claim = claim.get();
    run.threads = context.threads;
    run.replace = options.force;
    run.restart = options.restart;
    const auto report = [&line, bytes = plan.fileBytes](std::uint64_t done, std::uint64_t total) {
        line.set(shareOf(bytes, done, total), bytes);
    };
    return conversion::runConvert(plan, fs::path(options.out), run, Progress{context.stop, report});
}

Result<std::string> hashOf(const io::ByteSource& source, std::uint64_t offset, std::uint64_t bytes) {
    io::Sha256 hash;
    std::vector<std::byte> buffer(1 << 20);
    while (bytes > 0) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(bytes, buffer.size()));
        WB_TRY(source.readAt(offset, part));
        hash.update(part);
        offset += part.size();
        bytes -= part.size();
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

Result<void> addHashes(const std::string& path, ConvertResult& result) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    WB_TRY_ASSIGN(result.fileHash, hashOf(*source, 0, source->size()));
    for (const conversion::PlannedTensor& tensor : result.plan.tensors) {
        WB_TRY_ASSIGN(std::string hash, hashOf(*source, tensor.offset, tensor.bytes));
        result.tensorHashes.push_back(std::move(hash));
    }
    return {};
}

constexpr std::array remedies = {Remedy{run::targetExists, "--force"}, Remedy{conversion::unknownPreTokenizer, "--pre NAME"},
                                 Remedy{conversion::preTokenizerKind, "--pre NAME"}};

int refuseConverting(const Context& context, const Error& error) { return refuse(context, error, remedies); }

int show(const Context& context, const ConvertOptions& options, ConvertResult result) {
    logProblems(context, result.plan.problems);
    if (result.outcome) logProblems(context, result.outcome->remarks);
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.outcome && wantsJson)
        if (const auto hashed = addHashes(options.out, result); !hashed) return refuse(context, hashed.error(), options.out);
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

} // namespace

int convert(const Context& context, const ConvertOptions& options) {
    const auto type = typeOf(options);
    if (!type) return refuseUsage(type.error().message());
    if (const auto names = checkNames(options, context.log->path); !names) return refuseUsage(names.error().message());
    if (const auto log = context.log->check(); !log) return refuse(context, log.error(), context.log->path);
    const auto plan = planOf(context, options, *type);
    if (!plan) return refuseConverting(context, named(baseName(options.in), plan.error()));
    if (const auto own = checkSources(options, *plan, context.log->path); !own) return refuse(context, own.error());
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    if (options.dryRun) return show(context, options, {*plan, nullptr, {}, {}});
    const auto outcome = execute(context, options, *plan);
    if (!outcome)
        return refuseConverting(
            context, named(baseName(isAboutTarget(outcome.error(), options.out) ? options.out : options.in), outcome.error()));
    return show(context, options, {*plan, &*outcome, {}, {}});
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "app/cli/convert/run_job.h"

#include "app/cli/convert/kept_work.h"
#include "app/cli/progress_line.h"
#include "app/cli/user_folders.h"
#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/tokenizer_json.h"
#include "core/convert/gguf/vocabulary.h"
#include "core/convert/merge/merged_model.h"
#include "core/convert/quantize/quantize_plan.h"
#include "core/convert/run/work_files.h"
#include "core/convert/trust.h"
#include "core/formats/zip/member_checksums.h"
#include "core/quant/mix/mix.h"

#include <algorithm>
#include <array>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array remedies = {Remedy{run::targetExists, "--force"},
                                 Remedy{convert::untrustedSource, trustOption},
                                 Remedy{zip::checksumDiffers, trustOption},
                                 Remedy{convert::unknownPreTokenizer, "--pre NAME"},
                                 Remedy{convert::adapterNeedsBase, "--base DIR"},
                                 Remedy{convert::vocabulariesDiffer, "--tokenizer base"},
                                 Remedy{convert::preTokenizerKind, "--pre NAME"},
                                 Remedy{quant::needsOneType, "--pure"},
                                 Remedy{quantize::quantizedAlready, "--allow-requantize"}};

// Null if the run cannot be listed, which does not hinder it.
std::unique_ptr<run::Claim> claimTarget(const Context& context, const convert::Job& job, const JobRun& run) {
    const fs::path state = stateFolder();
    if (state.empty()) return nullptr;
    auto claim = run::claim(state, job.record(fs::path(run.out), run.force));
    if (!claim) log(context, claim.error().message());
    return claim ? std::move(*claim) : nullptr;
}

// Whether it is a new file that an error of the run is about, rather than the model.
bool isAboutTarget(const Error& error, const convert::Job& job, const std::string& out) {
    if (error.code == ErrorCode::NotWritable || error.code == ErrorCode::NoSpace || error.reason == run::targetExists) return true;
    const auto targets = job.targets(fs::path(out));
    return std::ranges::any_of(targets, [&](const fs::path& path) { return io::baseName(path) == error.subject; });
}

} // namespace

Result<run::Verify> parseVerify(const std::string& word) {
    if (word == "sample") return run::Verify::Sample;
    if (word == "all") return run::Verify::All;
    if (word == "none") return run::Verify::None;
    return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--verify"}, WB_TEXT("--verify takes sample, all or none."));
}

convert::GgufPlanned planAsking(const Context& context, convert::GgufRequest request, const std::string& in) {
    const Progress progress{context.stop, {}};
    auto planned = convert::planGguf(request, progress);
    if (planned.failure && confirms(context, *planned.failure)) {
        request.isTrusted = true;
        planned = convert::planGguf(request, progress);
    }
    const bool lacksMatrix = planned.model && !planned.matrix && !request.matrixFile.isNone() && !planned.isForOtherModel;
    if (planned.failure) planned.failure = named(baseName(lacksMatrix ? request.matrixFile.path : in), *planned.failure);
    return planned;
}

Result<convert::Outcome> runJob(const Context& context, const convert::Job& job, const JobRun& run, LazyBackend& backend) {
    const auto claim = claimTarget(context, job, run);
    ProgressLine line(convert::kindName(job.kind()), !context.quiet);
    convert::RunOptions options;
    options.claim = claim.get();
    options.threads = context.threads;
    options.replace = run.force;
    options.restart = run.restart;
    options.acceptsDamage = run.acceptsDamage;
    WB_TRY_ASSIGN(options.verify, parseVerify(run.verify));
    options.backend = [&backend] { return backend.get(); };
    const auto report = [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); };
    return job.run(fs::path(run.out), options, Progress{context.stop, report});
}

int refuseJob(const Context& context, const Error& error) { return refuse(context, error, remedies); }

int refuseRun(const Context& context, const convert::Job& job, const JobRun& run, const Error& error) {
    if (error.code == ErrorCode::Canceled) {
        const int status = refuse(context, error);
        const fs::path target(run.out);
        sayKeptWork(context, run::workFiles(target, job.targets(target)), run.out);
        return status;
    }
    return refuseJob(context, named(baseName(isAboutTarget(error, job, run.out) ? run.out : run.in), error));
}

Result<void> checkJobFiles(const Context& context, const convert::Job& job, std::span<const run::SourceFile> sources,
                           const std::string& out) {
    std::vector<io::Identity> read;
    for (const run::SourceFile& source : sources) read.push_back(source.identity);
    WB_TRY(context.files->alsoRead(read));
    const fs::path target(out);
    WB_TRY(context.files->alsoWork(job.targets(target), target));
    return openLog(context);
}

} // namespace wb::cli

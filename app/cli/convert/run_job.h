// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/convert/lazy_backend.h"
#include "app/cli/trust.h"
#include "core/convert/plan_job.h"

#include <string>

namespace wb::cli {

// How a job is run, as typed.
struct JobRun {
    std::string in, out;
    std::string verify = "sample"; // see parseVerify
    bool force = false;
    bool restart = false;
    bool acceptsDamage = false; // --yes: archive members whose checksums differ are read
};

// sample, all or none. Invalid for another word.
Result<run::Verify> parseVerify(const std::string& word);

// Plans, after a question at a terminal if the source must be confirmed. The failure names the file that it is about, the matrix or
// `in`, as typed.
convert::GgufPlanned planAsking(const Context& context, convert::GgufRequest request, const std::string& in);

// Runs the job with a progress line; it is listed among the unfinished runs until it ends. The sentences of `backend` are its own.
Result<convert::Outcome> runJob(const Context& context, const convert::Job& job, const JobRun& run, LazyBackend& backend);

// Prints why a job was not planned, or did not run, with the option that helps, and gives the exit status. The latter also prints
// how a canceled run is continued, and names OUT or IN, whichever the error is about.
int refuseJob(const Context& context, const Error& error);
int refuseRun(const Context& context, const convert::Job& job, const JobRun& run, const Error& error);

// Of a job that is planned: no option may write what it reads or makes. Opens the log after that.
Result<void> checkJobFiles(const Context& context, const convert::Job& job, std::span<const run::SourceFile> sources,
                           const std::string& out);

} // namespace wb::cli

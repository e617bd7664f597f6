// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/progress.h"
#include "core/base/share.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/convert/run/unfinished.h"
#include "ui/widgets/sentence.h"

#include <QString>

#include <filesystem>

namespace wb::ui::convert {

// What a finished run tells.
struct RunOutcome {
    std::uint64_t resumedItems = 0; // of work, taken over from an earlier run
    double seconds = 0;             // of this one
    std::vector<Problem> remarks;
    std::vector<quantize::TensorError> errors; // one a planned tensor, where the producer says them
};

// For a run that counts something else: its progress in bytes of what it writes. It refers to `progress`.
inline Progress inBytes(const Progress& progress, std::uint64_t bytes) {
    return {progress.stop, [&progress, bytes](std::uint64_t done, std::uint64_t total) {
                if (progress.report) progress.report(shareOf(bytes, done, total), bytes);
            }};
}

// A plan as a run sees it, whichever producer made it. Nothing in it changes; everything may be called on a worker thread.
class RunPlan {
public:
    virtual ~RunPlan() = default;

    virtual QString kind() const = 0;      // of its record among the unfinished runs, one word
    virtual QString heading() const = 0;   // of the page that shows the run, translated
    virtual Sentence jobTitle() const = 0; // of the tray
    virtual QString modelPath() const = 0;
    virtual std::vector<std::filesystem::path> sources() const = 0;                                    // files of the model
    virtual std::vector<std::filesystem::path> targets(const std::filesystem::path& target) const = 0; // files to write
    virtual bool writesFolder() const { return false; } // the target is a folder with those files
    virtual std::uint64_t bytes() const = 0;            // of all files to write
    virtual QString text() const = 0; // of a plan file, by which the run can be continued after a restart; empty: it cannot
    virtual Result<std::string> fingerprint() const = 0; // run::JobId::fingerprint; opens the model's files

    // Blocks until the files are there under their names. Progress counts bytes of them. `claim` may be null: the run is not
    // listed.
    virtual Result<RunOutcome> run(const std::filesystem::path& target, bool replace, run::Claim* claim,
                                   const Progress& progress) const = 0;
};

} // namespace wb::ui::convert

// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include "core/hub/download.h"
#include "ui/widgets/paths.h"

namespace wb::ui::convert {
namespace {

UnfinishedRun shownHere(UnfinishedRun run) {
    const std::string& kind = run.record.kind;
    run.canResume = run.canResume && (kind == "quantize" || kind == "convert" || kind == "merge");
    return run;
}

} // namespace

std::vector<UnfinishedRun> unfinishedRuns(const QString& stateFolder) {
    std::vector<UnfinishedRun> runs;
    for (UnfinishedRun& run : run::listUnfinished(fsPath(stateFolder)))
        if (run.record.kind != hub::downloadKind) runs.push_back(shownHere(std::move(run))); // the Downloads list resumes those
    return runs;
}

std::optional<UnfinishedRun> unfinishedRunTo(const QString& target, const QString& stateFolder) {
    auto run = run::unfinishedAt(fsPath(stateFolder), fsPath(target));
    return run ? std::optional(shownHere(std::move(*run))) : std::nullopt;
}

QString targetPath(const UnfinishedRun& run) { return qtPath(run.record.target); }

QString sourcePath(const UnfinishedRun& run) { return qtPath(run.record.source); }

QString planText(const UnfinishedRun& run) { return QString::fromStdString(run.record.plan); }

} // namespace wb::ui::convert

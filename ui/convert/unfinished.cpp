// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include "core/hub/download.h"
#include "ui/widgets/paths.h"

namespace wb::ui::convert {
namespace {

bool isOurs(std::string_view kind) { return kind == "quantize" || kind == "convert" || kind == "merge"; }

UnfinishedRun fromCore(const run::UnfinishedRun& run) {
    UnfinishedRun converted{QString::fromStdString(run.record.kind),
                            qtPath(run.record.source),
                            qtPath(run.record.target),
                            QString::fromStdString(run.record.plan),
                            {},
                            run.record.replace,
                            run.percent,
                            run.state,
                            run.canResume && isOurs(run.record.kind),
                            run.fingerprint,
                            run.changed};
    for (const auto& file : run.record.files) converted.files.append(qtPath(file));
    return converted;
}

} // namespace

Result<void> UnfinishedRuns::discard(const UnfinishedRun& run) { return run::discard(fsPath(m_stateFolder), fsPath(run.target)); }

QList<UnfinishedRun> UnfinishedRuns::all() const {
    QList<UnfinishedRun> runs;
    for (const run::UnfinishedRun& run : run::listUnfinished(fsPath(m_stateFolder)))
        if (run.record.kind != hub::downloadKind) runs.append(fromCore(run)); // the Downloads list resumes those
    return runs;
}

std::optional<UnfinishedRun> UnfinishedRuns::of(const QString& target) const {
    const auto run = run::unfinishedAt(fsPath(m_stateFolder), fsPath(target));
    return run ? std::optional(fromCore(*run)) : std::nullopt;
}

} // namespace wb::ui::convert

// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include "core/hub/download.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFile>

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

run::RunRecord toRecord(const UnfinishedRun& run) {
    run::RunRecord record{run.kind.toStdString(), fsPath(run.target), fsPath(run.model), run.plan.toStdString(), {}, run.replace};
    for (const QString& file : run.files) record.files.push_back(fsPath(file));
    return record;
}

} // namespace

UnfinishedRuns::UnfinishedRuns(const QString& stateFolder) : m_stateFolder(stateFolder) {}

void UnfinishedRuns::takeOver(const QString& cacheFolder) {
    const QString folder = m_stateFolder + QStringLiteral("/unfinished");
    const QDir old(cacheFolder + QStringLiteral("/unfinished"));
    const QStringList names = old.entryList({QStringLiteral("*.json")}, QDir::Files);
    if (!names.isEmpty()) QDir().mkpath(folder);
    for (const QString& name : names) {
        const QString place = folder + u'/' + name;
        if (QFile::exists(place)) QFile::remove(old.filePath(name)); // of an earlier run to the same target
        else QFile::rename(old.filePath(name), place);
    }
    QDir().rmdir(old.path());
}

std::unique_ptr<RunClaim> UnfinishedRuns::add(const UnfinishedRun& run) {
    return run::claim(fsPath(m_stateFolder), toRecord(run)).value_or(nullptr);
}

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

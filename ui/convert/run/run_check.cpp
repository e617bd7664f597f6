// SPDX-License-Identifier: MIT
#include "ui/convert/run/run_check.h"

#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {
namespace {

struct RunCheckText {
    Q_DECLARE_TR_FUNCTIONS(RunCheck)
};

std::optional<ConflictingRun> conflictingRun(const wb::convert::Job& job, const QString& target, const QString& stateFolder) {
    const auto there = unfinishedRunTo(target, stateFolder);
    if (!there || there->fingerprint.empty() || there->state == UnfinishedRun::State::Held) return std::nullopt;
    if (const auto own = job.fingerprint(); own && *own == there->fingerprint) return std::nullopt; // it is continued
    return ConflictingRun{there->canResume ? there : std::nullopt, there->percent};
}

} // namespace

QString targetProblem(const wb::convert::Job& job, const QString& target) {
    if (target.isEmpty()) return RunCheckText::tr("Choose an output file.");
    const QFileInfo file(target);
    if (file.isDir() && !job.writesFolder()) return RunCheckText::tr("%1 is a folder; add a file name.").arg(shortPath(target));
    const auto sources = job.sources();
    for (const auto& path : job.targets(fsPath(target))) {
        const QFileInfo written(qtPath(path));
        const auto isWritten = [&written](const auto& source) { return QFileInfo(qtPath(source)) == written; };
        if (written.exists() && std::ranges::any_of(sources, isWritten))
            return RunCheckText::tr("%1 is the source model; choose another output name.").arg(written.fileName());
    }
    const QFileInfo folder(file.path());
    if (!folder.isDir()) return RunCheckText::tr("The folder %1 does not exist; choose another one.").arg(shortPath(file.path()));
    if (!folder.isWritable())
        return RunCheckText::tr("Cannot write to the folder %1; choose another one.").arg(shortPath(file.path()));
    return {};
}

RunCheck checkRun(const wb::convert::Job& job, const QString& target, const QString& stateFolder) {
    RunCheck check{target, targetProblem(job, target), false, {}};
    if (!check.problem.isEmpty()) return check;
    check.exists =
        std::ranges::any_of(job.targets(fsPath(target)), [](const auto& path) { return QFileInfo::exists(qtPath(path)); });
    check.conflict = conflictingRun(job, target, stateFolder);
    return check;
}

} // namespace wb::ui::convert

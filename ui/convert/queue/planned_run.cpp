// SPDX-License-Identifier: MIT
#include "ui/convert/queue/planned_run.h"

#include "ui/convert/quantize/plan_text.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

namespace wb::ui::convert {

Result<JobPtr> planJob(const QueuedRun& run, unsigned threads, const Progress& progress) {
    const std::filesystem::path source = fsPath(run.model), target = fsPath(run.target);
    WB_TRY_ASSIGN(const wb::convert::SavedPlan saved,
                  wb::convert::parseSavedPlan(run.plan.toStdString(), QFileInfo(run.target).fileName().toStdString()));
    if (const auto* weights = std::get_if<wb::convert::WeightsPlanFile>(&saved))
        return wb::convert::planJob(requestFromPlan(*weights, source, target), progress);
    wb::convert::GgufRequest request = wb::convert::requestFromPlan(std::get<quantize::PlanFile>(saved), source);
    request.isTrusted = true; // the user was asked when the run joined the queue
    request.threads = threads;
    return wb::convert::planJob(request, progress);
}

Result<QList<PlannedRun>> planMixes(wb::convert::GgufRequest request, const std::vector<quant::FileType>& types,
                                    const QString& stateFolder, const Progress& progress) {
    QList<PlannedRun> runs;
    for (const quant::FileType type : types) {
        request.quantize.mix.fileType = type;
        request.quantize.mix.copy = false;
        request.quantize.copies = quantize::CopyMode::None;
        const wb::convert::GgufPlanned planned = wb::convert::planGguf(request, progress);
        if (planned.failure) return std::unexpected(*planned.failure);
        QueuedRun run;
        run.model = qtPath(request.source);
        run.job = planned.job;
        run.type = QString::fromStdString(planned.job->type());
        run.target = suggestedTarget(*planned.model, run.type);
        run.plan = QString::fromStdString(planned.job->planText());
        const RunCheck check = checkRun(*run.job, run.target, stateFolder);
        runs.append({run, check});
    }
    return runs;
}

} // namespace wb::ui::convert

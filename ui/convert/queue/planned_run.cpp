// SPDX-License-Identifier: MIT
#include "ui/convert/queue/planned_run.h"

#include "ui/convert/folder/conversion_run_plan.h"
#include "ui/convert/quantize/quantize_run_plan.h"
#include "ui/convert/weights/weights_planning.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

namespace wb::ui::convert {

using namespace wb::quantize;

std::shared_ptr<const RunPlan> runPlanOf(const PlanOutput& output, const QString& model, const Services& services) {
    if (output.failure || !output.plan) return nullptr;
    const QString text = output.text ? QString::fromStdString(*output.text) : QString();
    if (output.plain) return conversionRunPlan(output.plain, model, text, services);
    return quantizeRunPlan(output.plan, model, text, services);
}

static Result<std::shared_ptr<const RunPlan>> weightsRunOf(const QueuedRun& run, const Services& services,
                                                           const Progress& progress) {
    WB_TRY_ASSIGN(const WeightsChoices choices, choicesOf(run.model, run.plan, QFileInfo(run.target).fileName()));
    WB_TRY_ASSIGN(const PlannedWeights planned, planWeightsOf(choices, run.target, progress));
    return weightsRunPlan(planned.plan, choices, services);
}

Result<std::shared_ptr<const RunPlan>> runPlanOf(const QueuedRun& run, const Services& services, const Progress& progress) {
    const std::string text = run.plan.toStdString();
    if (wb::convert::isWeightsPlan(text)) return weightsRunOf(run, services, progress);
    WB_TRY_ASSIGN(PlanFile saved, parsePlan(text, QFileInfo(run.target).fileName().toStdString()));
    PlanInput input;
    input.path = fsPath(run.model);
    input.folder = saved.folder;
    input.request = saved.request;
    input.matrixFile = saved.matrix;
    input.savedPlan = std::move(saved);
    input.threads = services.threads;
    WB_TRY_ASSIGN(const PlanOutput output, makePlan(input, progress));
    if (output.failure) return std::unexpected(*output.failure);
    return runPlanOf(output, run.model, services);
}

Result<QList<PlannedRun>> planMixes(PlanInput input, const std::vector<quant::FileType>& types, const Services& services,
                                    const Progress& progress) {
    QList<PlannedRun> runs;
    for (const quant::FileType type : types) {
        input.request.mix.fileType = type;
        input.request.mix.copy = false;
        WB_TRY_ASSIGN(const PlanOutput output, makePlan(input, progress));
        if (output.failure) return std::unexpected(*output.failure);
        QueuedRun run;
        run.model = qtPath(input.path);
        run.runPlan = runPlanOf(output, run.model, services);
        run.type = typeText(*output.plan);
        run.target = suggestedTarget(*output.plan, run.type);
        run.plan = run.runPlan->text();
        runs.append({run, checkRun(*run.runPlan, run.target, services.stateFolder)});
    }
    return runs;
}

} // namespace wb::ui::convert

// SPDX-License-Identifier: MIT
// The run of a wizard: where it writes, how it goes and what comes of it.
#include "ui/convert/wizard.h"

#include "core/base/split_name.h"
#include "core/convert/quantize/quantize_output.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {

using namespace wb::convert;

QString Wizard::targetProblem(const QString& target) const {
    if (!m_plan || target.isEmpty()) return tr("Choose a file to write to.");
    const QFileInfo file(target);
    if (file.isDir()) return tr("%1 is a folder; add the name of a file.").arg(shortPath(target));
    for (const auto& path : targetPaths(*m_plan, fsPath(target)))
        for (const ModelFile& source : m_plan->model->files)
            if (const QFileInfo written(qtPath(path));
                written.exists() && QFileInfo(qtPath(m_plan->model->folder / source.name)) == written)
                return tr("%1 is the model that is read; choose another name for the result.").arg(written.fileName());
    const QFileInfo folder(file.path());
    if (!folder.isDir()) return tr("The folder %1 does not exist; choose another one.").arg(shortPath(file.path()));
    if (!folder.isWritable()) return tr("The folder %1 takes no new files; choose another one.").arg(shortPath(file.path()));
    return {};
}

bool Wizard::targetExists(const QString& target) const {
    return m_plan && std::ranges::any_of(targetPaths(*m_plan, fsPath(target)),
                                         [](const auto& path) { return QFileInfo::exists(qtPath(path)); });
}

std::optional<Wizard::Endangered> Wizard::endangered(const QString& target) const {
    const auto there = m_plan ? UnfinishedRuns(m_services.stateFolder).of(target) : std::nullopt;
    if (!there || there->fingerprint.empty() || there->state == UnfinishedRun::State::Held) return std::nullopt;
    if (const auto own = jobIdOf(*m_plan); own && own->fingerprint == there->fingerprint) return std::nullopt; // it goes on
    return Endangered{there->canResume ? there : std::nullopt, there->percent};
}

QString Wizard::suggestedTarget() const {
    if (!m_plan) return {};
    const QFileInfo source(qtPath(m_plan->model->folder / m_plan->model->files[0].name));
    const std::string name = source.completeBaseName().toStdString();
    const auto split = parseSplitName(name);
    QString stem = split ? QString::fromUtf8(split->stem.data(), static_cast<qsizetype>(split->stem.size())) : source.completeBaseName();
    for (const char* ending : {"-f16", "-F16", "-bf16", "-BF16", "-f32", "-F32", ".f16", ".F16", ".bf16", ".BF16", ".f32", ".F32"})
        if (stem.endsWith(QLatin1String(ending))) stem.chop(static_cast<int>(qstrlen(ending)));
    const QString type = m_request.types.empty() ? typeText() : QStringLiteral("mixed");
    const QString folder = QFileInfo(source.path()).isWritable() ? source.path() : QDir::homePath();
    return QStringLiteral("%1/%2-%3.gguf").arg(folder, stem, type);
}

void Wizard::run(const QString& target, bool replace) {
    if (!canRun() || m_step != Step::Plan) return;
    if (const QString problem = targetProblem(target); !problem.isEmpty()) return fail(problem);
    startRun(target, replace);
}

void Wizard::resume(const UnfinishedRun& run) {
    if (m_step == Step::Run) return;
    closeModel();
    const auto plan = parsePlan(run.plan.toStdString(), QFileInfo(run.target).fileName().toStdString());
    if (!plan) return fail(plan.error());
    m_modelPath = run.model;
    m_step = Step::Plan;
    m_resumedRun = run;
    m_chosenTarget = run.target;
    takeUp(*plan);
    replan();
}

void Wizard::startRun(const QString& target, bool replace) {
    m_step = Step::Run;
    m_target = target;
    m_failure.clear();
    m_outcome.reset();
    m_paused = false;
    m_stopping = false;
    m_done = 0;
    m_total = m_plan->fileBytes();
    UnfinishedRun record{m_modelPath, target, planText(), {}, replace, {}, {}, {}, {}};
    for (const auto& path : targetPaths(*m_plan, fsPath(target))) record.files.append(qtPath(path));
    m_claim = UnfinishedRuns(m_services.stateFolder).add(record);
    const auto outcome = std::make_shared<QuantizeOutcome>();
    const auto work = [plan = m_plan, outcome, path = fsPath(target), replace, threads = m_services.threads,
                       quantizer = m_services.quantizer, claim = m_claim](const Progress& progress) -> Result<void> {
        QuantizeRunOptions options;
        options.threads = threads;
        options.replace = replace;
        options.claim = claim.get();
        if (quantizer) options.backend = quantizer;
        // The tray counts bytes of the new file.
        const double scale = static_cast<double>(plan->fileBytes()) / static_cast<double>(std::max<std::uint64_t>(1, plan->parameters()));
        const Progress bytes{progress.stop, [&](std::uint64_t done, std::uint64_t) {
                                 if (progress.report)
                                     progress.report(static_cast<std::uint64_t>(static_cast<double>(done) * scale),
                                                     plan->fileBytes());
                             }};
        WB_TRY_ASSIGN(*outcome, runQuantize(*plan, path, options, bytes));
        return {};
    };
    m_runJob = m_services.jobs->start(tr("Quantizing %1").arg(QFileInfo(m_modelPath).fileName()), this, work,
                                      [this, outcome](const Result<void>& result) { takeOutcome(result, *outcome); });
    connect(m_runJob.get(), &JobHandle::progressed, this, &Wizard::noteProgress);
    connect(m_runJob.get(), &JobHandle::pausedChanged, this, &Wizard::notePaused);
    emit changed();
}

void Wizard::noteProgress(quint64 done, quint64 total) {
    m_done = done;
    m_total = total;
    emit progressed();
}

// What can go on later has left a journal, and its record stays; that of a run which removed its work is forgotten by itself.
void Wizard::takeOutcome(const Result<void>& result, const QuantizeOutcome& outcome) {
    m_runJob.reset();
    if (result) m_outcome = outcome;
    const bool isCancelled = !result && result.error().code == ErrorCode::Cancelled;
    m_claim.reset();
    m_failure = result || isCancelled ? Sentence() : Sentence(result.error());
    m_step = result ? Step::Result : Step::Plan;
    calibrate(); // a run that went on began without
    emit changed();
}

void Wizard::setPaused(bool paused) {
    if (!m_runJob) return;
    m_runJob->setPaused(paused);
}

// The tray pauses the same job.
void Wizard::notePaused(bool paused) {
    m_paused = paused;
    emit changed();
}

void Wizard::cancelRun() {
    if (!m_runJob || m_stopping) return;
    m_stopping = true;
    emit changed();
    m_runJob->cancel();
}

QString Wizard::firstTarget() const { return m_plan ? qtPath(targetPaths(*m_plan, fsPath(m_target)).front()) : QString(); }

void Wizard::backToPlan() {
    if (m_step != Step::Result) return;
    m_step = Step::Plan;
    emit changed();
}

} // namespace wb::ui::convert

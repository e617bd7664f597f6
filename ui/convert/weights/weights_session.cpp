// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_session.h"

#include "core/convert/convert/restore_folder.h"
#include "core/formats/open.h"
#include "core/merge/adapters.h"
#include "core/model/danger.h"
#include "ui/convert/weights/weights_run_plan.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace wb::ui::convert {
namespace {

constexpr Reason untrusted = "weights.untrusted";

Result<ModelPtr> openStrictly(const QString& path, const Progress& progress) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.progress = progress;
    return formats::open(fsPath(path), options);
}

Result<ModelPtr> openSource(const WeightsChoices& choices, const Progress& progress) {
    WB_TRY_ASSIGN(ModelPtr model, openStrictly(choices.source, progress));
    if (model->danger && model->danger->level() >= DangerLevel::C && !choices.trustsSource)
        return fail(ErrorCode::Unsupported, untrusted, About{io::baseName(model->path)},
                    WB_TEXT("Loading {} with the program it was made for would run code that is not known to be harmless. Only its "
                            "tensors are read here; allow that if you trust what they say."),
                    io::baseName(model->path));
    return model;
}

} // namespace

struct WeightsSession::Planned {
    std::shared_ptr<const conversion::WeightsPlan> plan;
    QList<WeightsMember> members;
};

WeightsSession::WeightsSession(const Services& services) : m_services(services), m_planning(services.jobs), m_runs(services) {
    connect(&m_runs, &RunSession::changed, this, [this] {
        if (m_runs.isRunning()) m_failure.clear(); // it was about an earlier target
        emit changed();
    });
    const auto show = [this](const Sentence& failure) {
        m_failure = failure;
        emit changed();
    };
    connect(&m_runs, &RunSession::checkFailed, this, show);
    connect(&m_runs, &RunSession::ended, this, [this, show] { show(m_runs.failure()); }); // empty where all is well
}

void WeightsSession::begin(WeightsGoal goal, const QString& source) {
    if (m_runs.isRunning()) return;
    close();
    WeightsChoices choices;
    choices.goal = goal;
    choices.source = source;
    if (goal == WeightsGoal::Safetensors) choices.shardBytes = 0;
    choose(choices);
}

void WeightsSession::close() {
    m_planning.cancel();
    m_runs.clear();
    m_choices = {};
    m_plan.reset();
    m_members.clear();
    m_failure.clear();
    m_wantsTrust = false;
    m_target.reset();
    emit changed();
}

void WeightsSession::choose(const WeightsChoices& choices) {
    if (choices == m_choices) return;
    m_choices = choices;
    m_runs.cancelCheck();
    replan();
}

// The name of the source beside it; of a merge and of a folder one that says so.
QString WeightsSession::target() const {
    if (m_target) return *m_target;
    if (!isOpen()) return {};
    const QFileInfo source(m_choices.source);
    const QString name = source.isDir() ? source.fileName() : source.completeBaseName();
    const QString ending = m_choices.goal == WeightsGoal::Safetensors ? QStringLiteral(".safetensors")
                           : m_choices.goal == WeightsGoal::Merge     ? QStringLiteral("-merged")
                                                                      : QStringLiteral("-hf");
    return QDir(source.absolutePath()).filePath(name + ending);
}

void WeightsSession::setTarget(const QString& target) {
    m_target = target.isEmpty() ? std::nullopt : std::optional(target);
    if (m_choices.goal == WeightsGoal::Safetensors && m_choices.shardBytes > 0) replan(); // shards are called by it
    emit changed();
}

Result<WeightsSession::Planned> WeightsSession::makePlan(const WeightsChoices& choices, const Progress& progress) {
    WB_TRY_ASSIGN(ModelPtr model, openSource(choices, progress));
    conversion::WeightsRequest request;
    request.type = choices.type;
    request.isFolder = choices.goal != WeightsGoal::Safetensors;
    request.shardBytes = choices.shardBytes;
    Planned planned;
    std::vector<Problem> problems;
    if (request.isFolder && model->format == "gguf") {
        WB_TRY_ASSIGN(conversion::RestoredFolder restored, conversion::restoreFolder(model));
        model = restored.model;
        request.texts = std::move(restored.texts);
        problems = std::move(restored.problems);
        for (const conversion::ConfigMember& member : restored.config)
            planned.members.append({QString::fromStdString(member.key), QString::fromStdString(member.json), member.isGuessed});
    }
    std::vector<merge::Adapter> adapters;
    for (const ChosenAdapter& adapter : choices.adapters) {
        WB_TRY_ASSIGN(ModelPtr opened, openStrictly(adapter.path, progress));
        adapters.push_back({std::move(opened), adapter.scale});
    }
    if (!adapters.empty()) {
        WB_TRY_ASSIGN(model, merge::mergeAdapters(model, adapters));
    }
    WB_TRY_ASSIGN(conversion::WeightsPlan plan, conversion::planWeights(std::move(model), request, "model.safetensors"));
    plan.problems.insert(plan.problems.begin(), problems.begin(), problems.end());
    planned.plan = std::make_shared<const conversion::WeightsPlan>(std::move(plan));
    return planned;
}

void WeightsSession::replan() {
    m_plan.reset();
    m_members.clear();
    m_failure.clear();
    m_wantsTrust = false;
    const auto work = [choices = m_choices](const Progress& progress) { return makePlan(choices, progress); };
    const auto done = [this](const Planned& planned) {
        m_plan = planned.plan;
        m_members = planned.members;
        emit changed();
    };
    const auto failed = [this](const Error& error) {
        m_failure = error;
        m_wantsTrust = error.reason == untrusted;
        emit changed();
    };
    m_planning.start<Planned>(tr("Planning"), work, done, failed);
    emit changed();
}

std::shared_ptr<const RunPlan> WeightsSession::runPlan() const {
    const bool merges = m_choices.goal == WeightsGoal::Merge;
    return weightsRunPlan(m_plan, m_choices.source, merges, m_services);
}

} // namespace wb::ui::convert

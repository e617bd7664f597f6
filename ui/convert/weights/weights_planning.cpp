// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_planning.h"

#include "core/convert/restore/restore_folder.h"
#include "core/formats/open.h"
#include "core/merge/adapters.h"
#include "core/model/danger.h"
#include "ui/widgets/paths.h"

namespace wb::ui::convert {
namespace {

Result<ModelPtr> openStrictly(const std::filesystem::path& path, const Progress& progress) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.progress = progress;
    return formats::open(path, options);
}

// The source itself, or an adapter.
Result<ModelPtr> openTrusted(const WeightsChoices& choices, const QString& path, const Progress& progress) {
    WB_TRY_ASSIGN(ModelPtr model, openStrictly(fsPath(path), progress));
    if (model->danger && model->danger->level() >= DangerLevel::C && !choices.file.trustsSource)
        return fail(ErrorCode::Unsupported, untrustedSource, About{io::baseName(model->path)},
                    WB_TEXT("Loading {} with the program it was made for would run code that is not known to be harmless. Only its "
                            "tensors are read here; allow that if you trust what they say."),
                    io::baseName(model->path));
    return model;
}

QList<WeightsMember> membersOf(const wb::convert::RestoredFolder& restored) {
    using Origin = WeightsMember::Origin;
    QList<WeightsMember> members;
    for (const wb::convert::ConfigMember& member : restored.config)
        members.append({QString::fromStdString(member.key), QString::fromStdString(member.json),
                        member.isGuessed ? Origin::Guessed : Origin::File});
    return members;
}

// Of a config.json that is copied.
QList<WeightsMember> membersOf(const Model& model) {
    QList<WeightsMember> members;
    const Value* const config = model.metadata.find("config.json");
    if (!config || !config->object()) return members;
    for (const Member& member : config->object()->members)
        members.append({QString::fromStdString(member.key), QString::fromStdString(summary(member.value)), {}});
    return members;
}

Result<ModelPtr> withAdapters(ModelPtr model, const WeightsChoices& choices, const Progress& progress) {
    std::vector<merge::Adapter> adapters;
    for (const wb::convert::AdapterFile& adapter : choices.file.adapters) {
        WB_TRY_ASSIGN(ModelPtr opened, openTrusted(choices, QString::fromStdString(adapter.path), progress));
        adapters.push_back({std::move(opened), adapter.scale});
    }
    return adapters.empty() ? model : merge::mergeAdapters(model, adapters, progress.stop);
}

} // namespace

WeightsChoices usualChoices(WeightsGoal goal, const QString& source) {
    WeightsChoices choices;
    choices.goal = goal;
    choices.source = source;
    choices.file.isFolder = goal != WeightsGoal::Safetensors;
    if (choices.file.isFolder) choices.file.shardBytes = wb::convert::WeightsRequest().shardBytes;
    return choices;
}

Result<WeightsChoices> choicesOf(const QString& source, const QString& planText, const QString& name) {
    WeightsChoices choices;
    choices.source = source;
    WB_TRY_ASSIGN(choices.file, wb::convert::parseWeightsPlan(planText.toStdString(), name.toStdString()));
    choices.goal = !choices.file.adapters.empty() ? WeightsGoal::Merge
                   : choices.file.isFolder        ? WeightsGoal::Folder
                                                  : WeightsGoal::Safetensors;
    return choices;
}

Result<PlannedWeights> planWeightsOf(const WeightsChoices& choices, const QString& target, const Progress& progress) {
    WB_TRY_ASSIGN(ModelPtr model, openTrusted(choices, choices.source, progress));
    wb::convert::WeightsRequest request = wb::convert::requestOf(choices.file);
    PlannedWeights planned;
    std::vector<Problem> problems;
    if (request.isFolder && model->format == FormatId::Gguf) {
        WB_TRY_ASSIGN(wb::convert::RestoredFolder restored, wb::convert::restoreFolder(model));
        planned.members = membersOf(restored);
        model = restored.model;
        request.texts = std::move(restored.texts);
        problems = std::move(restored.problems);
    } else if (request.isFolder) {
        planned.members = membersOf(*model);
    }
    WB_TRY_ASSIGN(model, withAdapters(std::move(model), choices, progress));
    WB_TRY_ASSIGN(wb::convert::WeightsPlan plan, wb::convert::planWeights(std::move(model), request, fsPath(target)));
    plan.problems.insert(plan.problems.begin(), problems.begin(), problems.end());
    planned.plan = std::make_shared<const wb::convert::WeightsPlan>(std::move(plan));
    return planned;
}

} // namespace wb::ui::convert

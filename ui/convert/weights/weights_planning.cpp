// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_planning.h"

#include "ui/widgets/paths.h"

namespace wb::ui::convert {
namespace {

QList<WeightsMember> configMembers(const std::vector<wb::convert::ConfigMember>& restored) {
    using Origin = WeightsMember::Origin;
    QList<WeightsMember> members;
    for (const wb::convert::ConfigMember& member : restored)
        members.append({QString::fromStdString(member.key), QString::fromStdString(member.json),
                        member.isGuessed ? Origin::Guessed : Origin::File});
    return members;
}

// Of a config.json that is copied.
QList<WeightsMember> configMembers(const Model& model) {
    QList<WeightsMember> members;
    const Value* const config = model.metadata.find("config.json");
    if (!config || !config->object()) return members;
    for (const Member& member : config->object()->members)
        members.append({QString::fromStdString(member.key), QString::fromStdString(summary(member.value)), {}});
    return members;
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

Result<WeightsChoices> readChoices(const QString& source, const QString& planText, const QString& name) {
    WeightsChoices choices;
    choices.source = source;
    WB_TRY_ASSIGN(choices.file, wb::convert::parseWeightsPlan(planText.toStdString(), name.toStdString()));
    choices.goal = planGoal(choices.file);
    return choices;
}

WeightsGoal planGoal(const wb::convert::WeightsPlanFile& file) {
    if (!file.merge.isNone()) return WeightsGoal::MergeModels;
    if (!file.adapters.empty()) return WeightsGoal::Merge;
    return file.isFolder ? WeightsGoal::Folder : WeightsGoal::Safetensors;
}

Result<PlannedWeights> planChosenWeights(const WeightsChoices& choices, const QString& target, const Progress& progress) {
    PlannedWeights planned;
    WB_TRY_ASSIGN(planned.safetensors,
                  planSafetensors(requestFromPlan(choices.file, fsPath(choices.source), fsPath(target)), progress));
    const auto& [job, plan, restored] = planned.safetensors;
    if (plan->isFolder) planned.members = restored.empty() ? configMembers(*plan->model) : configMembers(restored);
    return planned;
}

} // namespace wb::ui::convert

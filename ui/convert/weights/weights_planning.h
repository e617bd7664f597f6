// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/convert/plan_job.h"

#include <QList>
#include <QString>

namespace wb::ui::convert {

// Outputs other than a GGUF file.
enum class WeightsGoal : std::uint8_t {
    Safetensors, // one file of any tensors that open, as they are called
    Folder,      // a Hugging Face folder: of a GGUF file that which it could have been made of
    Merge,       // the same with adapters merged into the weights
    MergeModels, // the same with other models merged with it
};

struct WeightsChoices {
    WeightsGoal goal = WeightsGoal::Safetensors;
    QString source;
    wb::convert::WeightsPlanFile file; // what a plan file keeps of them

    bool operator==(const WeightsChoices&) const = default;
};

// Those that a saved plan stands for. The latter fails as wb::convert::parseWeightsPlan does.
WeightsChoices usualChoices(WeightsGoal goal, const QString& source);
Result<WeightsChoices> readChoices(const QString& source, const QString& planText, const QString& name);

// What such a plan is for.
WeightsGoal planGoal(const wb::convert::WeightsPlanFile& file);

// A member of the plan's config.json.
struct WeightsMember {
    enum class Origin { Source, File, Guessed }; // copied with its file; identified by the GGUF file; by the family alone
    QString key, value;
    Origin origin = Origin::Source;
};

struct PlannedWeights {
    wb::convert::SafetensorsPlanned safetensors;
    QList<WeightsMember> members;
};

// Opens the source, its adapters and the models that are merged with it, and plans; `target` gives the names of the files. For
// worker threads.
Result<PlannedWeights> planChosenWeights(const WeightsChoices& choices, const QString& target, const Progress& progress);

} // namespace wb::ui::convert

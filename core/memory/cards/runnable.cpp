// SPDX-License-Identifier: MIT
#include "core/memory/cards/runnable.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

TypeFit fitOf(const Subject& subject, const WeightType& type, const Weights& weights, const Settings& settings,
              std::span<const Memory> memories) {
    TypeFit best{.type = &type};
    for (const Memory& memory : memories) {
        const Fit fit = fitNow(subject, weights, settings, memory);
        if (best.need == 0 || fit.verdict < best.verdict) best = {&type, fit.need, fit.verdict, memory.name};
    }
    return best;
}

Result<RunnableModel> runnableModel(const Shape& shape, std::span<const Memory> memories, std::uint64_t context) {
    WB_TRY_ASSIGN(const Subject subject, subjectOfShape(shape, Trust::Rule));
    RunnableModel model{&shape, std::min(context, shape.context), {}};
    Settings settings;
    settings.context = model.context;
    for (const WeightType* type : runnableTypes()) {
        WB_TRY_ASSIGN(const Weights weights, subject.weights(type));
        model.types.push_back(fitOf(subject, *type, weights, settings, memories));
    }
    return model;
}

} // namespace

std::span<const WeightType* const> runnableTypes() {
    static const std::array types = {weightTypeFromName("IQ3_M"), weightTypeFromName("Q4_K_M"), weightTypeFromName("Q5_K_M"),
                                     weightTypeFromName("Q6_K"),  weightTypeFromName("Q8_0"),   weightTypeFromName("F16")};
    return types;
}

std::optional<std::size_t> RunnableModel::best() const {
    for (const Verdict wanted : {Verdict::Fits, Verdict::Tight})
        for (std::size_t i = types.size(); i-- > 0;)
            if (types[i].verdict == wanted) return i;
    return std::nullopt;
}

Result<std::vector<RunnableModel>> runnableModels(std::span<const Memory> memories, std::uint64_t context,
                                                  const Progress& progress) {
    std::vector<RunnableModel> models;
    for (const Shape& shape : knownShapes()) {
        WB_TRY(progress.at(models.size(), knownShapes().size()));
        WB_TRY_ASSIGN(RunnableModel model, runnableModel(shape, memories, context));
        models.push_back(std::move(model));
    }
    std::ranges::stable_sort(models, std::ranges::greater(), [](const RunnableModel& model) { return model.shape->parameters(); });
    return models;
}

} // namespace wb::memory

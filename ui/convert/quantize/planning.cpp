// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/planning.h"

#include "core/formats/open.h"

#include <utility>

namespace wb::ui::convert {

using namespace wb::convert;

namespace {

Result<ModelPtr> openStrictly(const PlanInput& input, const Progress& progress) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.threads = input.threads;
    options.progress = progress;
    return formats::open(input.path, options);
}

// A saved plan names the type of every tensor; chosen are those that its mix would not give.
std::map<std::string, Dtype> ownTypes(const ModelPtr& model, QuantizeRequest request) {
    auto types = std::exchange(request.types, {});
    if (types.empty()) return types;
    const auto usual = planQuantize(model, std::move(request));
    if (!usual) return types;
    for (const PlannedTensor& tensor : usual->tensors) {
        const auto chosen = types.find(usual->model->tensors[tensor.source].name);
        if (chosen != types.end() && chosen->second == tensor.to) types.erase(chosen);
    }
    return types;
}

Result<void> plan(const PlanInput& input, const Progress& progress, PlanOutput& output) {
    if (!output.model) {
        WB_TRY_ASSIGN(output.model, openStrictly(input, progress));
    }
    if (input.savedPlan) {
        const auto fits = checkPlanFits(*input.savedPlan, *output.model);
        output.isForOtherModel = !fits;
        WB_TRY(fits);
    }
    if (!output.matrix && !input.matrixFile.isNone()) {
        WB_TRY_ASSIGN(output.matrix, readMatrix(input.matrixFile, progress));
    }
    QuantizeRequest request = input.request;
    request.matrix = output.matrix;
    output.ownTypes = ownTypes(output.model, request);
    if (input.savedPlan) request.types = output.ownTypes;
    WB_TRY_ASSIGN(QuantizePlan plan, planQuantize(output.model, request));
    output.text = planJson(plan, request, input.matrixFile);
    output.plan = std::make_shared<const QuantizePlan>(std::move(plan));
    return {};
}

} // namespace

Result<PlanOutput> makePlan(const PlanInput& input, const Progress& progress) {
    PlanOutput output{input.model, input.matrix, false, {}, {}, {}, {}};
    const auto planned = plan(input, progress, output);
    if (progress.stop.stop_requested()) return std::unexpected(cancelled());
    if (!planned) output.failure = planned.error();
    return output;
}

bool isUnchanged(const Model& model) {
    for (std::uint32_t file = 0; file < model.files.size(); ++file)
        if (!wb::openFile(model, file)) return false;
    return true;
}

} // namespace wb::ui::convert

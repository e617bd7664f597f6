// SPDX-License-Identifier: MIT
#include "core/convert/open_source.h"
#include "core/convert/plan_job.h"

namespace wb::convert {
namespace {

// The decisions, tensor by tensor.
WeightsPlanFile planFile(const SafetensorsRequest& job, const WeightsPlan& plan) {
    const WeightsRequest& request = job.weights;
    WeightsPlanFile file;
    file.isFolder = request.isFolder;
    file.adapters = job.adapters;
    file.type = request.type;
    file.types = request.types;
    file.shardBytes = request.shardBytes;
    file.shardTensors = request.shardTensors;
    file.trustsSource = job.isTrusted;
    file.metadata = request.metadata;
    for (const TensorInfo& tensor : plan.model->tensors) {
        if (tensor.logical) continue;
        if (request.wants && !request.wants(tensor.name)) file.leftOut.insert(tensor.name);
        else if (request.renamed && request.renamed(tensor.name) != tensor.name)
            file.names[tensor.name] = request.renamed(tensor.name);
    }
    return file;
}

} // namespace

// A GGUF file becomes the folder that it could have been made of; everything else keeps its names.
Result<SafetensorsPlanned> planSafetensors(const SafetensorsRequest& request, const Progress& progress) {
    const SourceOptions options{request.isTrusted, request.threads, progress};
    WB_TRY_ASSIGN(ModelPtr model, openSource(request.source, options));
    WeightsRequest weights = request.weights;
    SafetensorsPlanned planned;
    std::vector<Problem> problems;
    if (weights.isFolder && model->format == FormatId::Gguf) {
        WB_TRY_ASSIGN(RestoredFolder restored, restoreFolder(model));
        model = std::move(restored.model);
        weights.texts = std::move(restored.texts);
        planned.config = std::move(restored.config);
        problems = std::move(restored.problems);
    }
    WB_TRY_ASSIGN(model, withAdapters(std::move(model), request.adapters, options));
    WB_TRY_ASSIGN(WeightsPlan plan, planWeights(std::move(model), weights, request.target));
    plan.problems.insert(plan.problems.begin(), problems.begin(), problems.end());
    planned.plan = std::make_shared<const WeightsPlan>(std::move(plan));
    const JobKind kind = request.adapters.empty() ? JobKind::Convert : JobKind::Merge;
    planned.job = weightsJob(planned.plan, {kind, request.source, weights.isFolder ? "huggingface" : "safetensors",
                                            weightsPlanText(planFile(request, *planned.plan)), planned.plan->model});
    return planned;
}

SafetensorsRequest requestOf(const WeightsPlanFile& plan, const std::filesystem::path& source,
                             const std::filesystem::path& target) {
    SafetensorsRequest request;
    request.source = source;
    request.target = target;
    request.isTrusted = plan.trustsSource;
    request.adapters = plan.adapters;
    request.weights = requestOf(plan);
    return request;
}

Result<SavedPlan> parseSavedPlan(std::string_view text, const std::string& name) {
    if (isWeightsPlan(text)) {
        WB_TRY_ASSIGN(WeightsPlanFile plan, parseWeightsPlan(text, name));
        return plan;
    }
    WB_TRY_ASSIGN(quantize::PlanFile plan, quantize::parsePlan(text, name));
    return plan;
}

Result<JobPtr> planJob(const Request& request, const Progress& progress) {
    if (const auto* safetensors = std::get_if<SafetensorsRequest>(&request)) {
        WB_TRY_ASSIGN(const SafetensorsPlanned planned, planSafetensors(*safetensors, progress));
        return planned.job;
    }
    const GgufPlanned planned = planGguf(std::get<GgufRequest>(request), progress);
    if (planned.failure) return std::unexpected(*planned.failure);
    return planned.job;
}

} // namespace wb::convert

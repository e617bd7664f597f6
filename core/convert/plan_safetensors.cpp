// SPDX-License-Identifier: MIT
#include "core/convert/open_source.h"
#include "core/convert/plan_job.h"
#include "core/convert/source/decoded_model.h"
#include "core/convert/source/folder_text.h"
#include "core/model/checkpoint.h"

#include <limits>

namespace wb::convert {
namespace {

// The decisions, tensor by tensor.
WeightsPlanFile planFile(const SafetensorsRequest& job, const WeightsPlan& plan) {
    const WeightsRequest& request = job.weights;
    WeightsPlanFile file;
    file.isFolder = request.isFolder;
    file.adapters = job.adapters;
    file.merge = job.merge;
    file.type = request.type;
    file.types = request.types;
    file.shardBytes = request.shardBytes;
    file.shardTensors = request.shardTensors;
    file.trustsSource = job.isTrusted;
    file.metadata = request.metadata;
    file.withTrainingState = request.withTrainingState;
    const bool isJoined = plan.model->checkpoint && plan.model->checkpoint->isJoined;
    for (const TensorInfo& tensor : plan.model->tensors) {
        if (tensor.logical != isJoined) continue;
        if (request.wants && !request.wants(tensor.name)) file.leftOut.insert(tensor.name);
        else if (request.renamed && request.renamed(tensor.name) != tensor.name)
            file.names[tensor.name] = request.renamed(tensor.name);
    }
    return file;
}

// The type that a merged tensor is rounded to, once.
std::optional<Dtype> mergedType(const WeightsRequest& request, const std::string& tensor) {
    const auto own = request.types.find(tensor);
    const auto type = own == request.types.end() ? request.type : std::optional(own->second);
    if (!type || *type == Dtype::F32 || *type == Dtype::F16 || *type == Dtype::BF16) return type;
    return Dtype::F32; // and cast when it is written
}

// The texts of a restored folder as files of its model, so that merging changes them as those of a folder.
ModelPtr withTexts(const ModelPtr& model, const std::vector<TextFile>& texts) {
    auto changed = std::make_shared<Model>(*model);
    for (const TextFile& text : texts) setText(*changed, text.name, text.text);
    return changed;
}

Result<void> takeChangedTexts(const Model& model, std::vector<TextFile>& texts) {
    for (TextFile& text : texts) {
        WB_TRY_ASSIGN(auto changed, readText(model, text.name, std::numeric_limits<std::uint64_t>::max()));
        text.text = std::move(changed).value_or(std::string());
    }
    return {};
}

} // namespace

// A GGUF file becomes the folder that it could have been made of; everything else keeps its names.
Result<SafetensorsPlanned> planSafetensors(const SafetensorsRequest& request, const Progress& progress) {
    const bool selects = static_cast<bool>(request.weights.wants);
    const SourceOptions options{request.isTrusted, request.threads, progress, selects};
    WB_TRY_ASSIGN(ModelPtr model, openSource(request.source, options));
    WeightsRequest weights = request.weights;
    SafetensorsPlanned planned;
    std::vector<Problem> problems;
    if (weights.isFolder && model->format == FormatId::Gguf) {
        WB_TRY_ASSIGN(RestoredFolder restored, restoreFolder(model));
        model = request.merge.isNone() ? std::move(restored.model) : withTexts(restored.model, restored.texts);
        weights.texts = std::move(restored.texts);
        planned.config = std::move(restored.config);
        problems = std::move(restored.problems);
    }
    const SourceOptions whole{options.isTrusted, options.threads, options.progress};
    const bool isMerged = !request.adapters.empty() || !request.merge.isNone();
    const bool computes = weights.type || !weights.types.empty() || isMerged;
    if (computes) {
        WB_TRY_ASSIGN(model, decodedModel(model));
    }
    const auto openOther = [&](const std::filesystem::path& path) -> Result<ModelPtr> {
        WB_TRY_ASSIGN(ModelPtr other, openSource(path, whole));
        if (!weights.isFolder || other->format != FormatId::Gguf) return decodedModel(std::move(other));
        WB_TRY_ASSIGN(RestoredFolder restored, restoreFolder(other));
        return withTexts(restored.model, restored.texts);
    };
    const auto typeOf = [&weights](const std::string& tensor) { return mergedType(weights, tensor); };
    WB_TRY_ASSIGN(model, withModels(std::move(model), request.merge, openOther, typeOf));
    if (weights.texts && !request.merge.isNone()) WB_TRY(takeChangedTexts(*model, *weights.texts));
    WB_TRY_ASSIGN(model, withAdapters(std::move(model), request.adapters, whole));
    WB_TRY_ASSIGN(WeightsPlan plan, planWeights(std::move(model), weights, request.target));
    plan.problems.insert(plan.problems.begin(), problems.begin(), problems.end());
    planned.plan = std::make_shared<const WeightsPlan>(std::move(plan));
    const JobKind kind = isMerged ? JobKind::Merge : JobKind::Convert;
    planned.job = weightsJob(planned.plan, {kind, request.source, weights.isFolder ? "huggingface" : "safetensors",
                                            weightsPlanText(planFile(request, *planned.plan)), planned.plan->model});
    return planned;
}

SafetensorsRequest requestFromPlan(const WeightsPlanFile& plan, const std::filesystem::path& source,
                                   const std::filesystem::path& target) {
    SafetensorsRequest request;
    request.source = source;
    request.target = target;
    request.isTrusted = plan.trustsSource;
    request.adapters = plan.adapters;
    request.merge = plan.merge;
    request.weights = requestFromPlan(plan);
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

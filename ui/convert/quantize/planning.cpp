// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/planning.h"

#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/converted_model.h"
#include "core/formats/open.h"
#include "core/merge/adapters.h"
#include "core/model/danger.h"
#include "ui/widgets/paths.h"

#include <utility>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

Result<ModelPtr> openStrictly(const std::filesystem::path& path, const PlanInput& input, const Progress& progress) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.threads = input.threads;
    options.progress = progress;
    return formats::open(path, options);
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

wb::convert::ConvertRequest convertRequest(const PlanInput& input, std::optional<quant::FileType> type) {
    wb::convert::ConvertRequest request{type, input.folder.modelName, input.folder.preTokenizer};
    if (!input.folder.chatTemplate.empty()) request.chatTemplate = input.folder.chatTemplate;
    return request;
}

// The source was asked about when it was chosen; adapters are named later.
Result<void> checkAdapter(const Model& adapter) {
    if (!adapter.danger || adapter.danger->level() < DangerLevel::C) return {};
    const std::string name = io::baseName(adapter.path);
    return fail(ErrorCode::Unsupported, Reason("plan.untrusted_adapter"), About{name},
                WB_TEXT("Loading the adapter {} with the program it was made for would run code that is not known to be harmless. "
                        "Merge it into a folder first, where that can be allowed."),
                name);
}

Result<ModelPtr> withAdapters(ModelPtr model, const PlanInput& input, const Progress& progress) {
    std::vector<merge::Adapter> adapters;
    for (const FolderAdapter& adapter : input.folder.adapters) {
        WB_TRY_ASSIGN(ModelPtr opened, openStrictly(fsPath(QString::fromStdString(adapter.path)), input, progress));
        WB_TRY(checkAdapter(*opened));
        adapters.push_back({std::move(opened), adapter.scale});
    }
    return adapters.empty() ? model : merge::mergeAdapters(model, adapters, progress.stop);
}

// An adapter becomes the file that runtimes add to their model.
Result<wb::convert::ConvertPlan> planAdapter(ModelPtr adapter, const PlanInput& input, const Progress& progress) {
    const std::string name = io::baseName(adapter->path);
    if (input.folder.base.empty())
        return fail(ErrorCode::Invalid, wb::convert::adapterNeedsBase, About{name},
                    WB_TEXT("{} is an adapter; name the folder of the model that it was made for."), name);
    WB_TRY_ASSIGN(ModelPtr base, openStrictly(fsPath(QString::fromStdString(input.folder.base)), input, progress));
    return wb::convert::planAdapter(std::move(adapter), std::move(base), input.folder.modelName);
}

Result<wb::convert::ConvertPlan> planFolder(ModelPtr folder, const PlanInput& input, const Progress& progress) {
    WB_TRY_ASSIGN(folder, withAdapters(std::move(folder), input, progress));
    return wb::convert::planConvert(std::move(folder), convertRequest(input, {}));
}

// A folder becomes the file that converting makes of it, read without being written.
Result<void> openModel(const PlanInput& input, const Progress& progress, PlanOutput& output) {
    WB_TRY_ASSIGN(ModelPtr opened, openStrictly(input.path, input, progress));
    output.isAdapter = opened->format == FormatId::Peft;
    if (opened->format != FormatId::HuggingFace && !output.isAdapter) {
        output.model = std::move(opened);
        return {};
    }
    WB_TRY_ASSIGN(auto planned, output.isAdapter ? planAdapter(std::move(opened), input, progress)
                                                 : planFolder(std::move(opened), input, progress));
    auto conversion = std::make_shared<const wb::convert::ConvertPlan>(std::move(planned));
    WB_TRY_ASSIGN(output.model, wb::convert::convertedModel(conversion));
    output.conversion = std::move(conversion);
    return {};
}

// That of an adapter has one type only.
Result<std::shared_ptr<const wb::convert::ConvertPlan>> planOfType(const PlanInput& input, quant::FileType type,
                                                                   const PlanOutput& output) {
    if (output.isAdapter) return output.conversion;
    WB_TRY_ASSIGN(auto planned, wb::convert::planConvert(output.conversion->folder.model, convertRequest(input, type)));
    return std::make_shared<const wb::convert::ConvertPlan>(std::move(planned));
}

// The plan of converting alone, as one that copies what is converted.
Result<void> planPlain(const PlanInput& input, quant::FileType type, PlanOutput& output) {
    WB_TRY_ASSIGN(const auto plain, planOfType(input, type, output));
    WB_TRY_ASSIGN(ModelPtr model, wb::convert::convertedModel(plain));
    QuantizeRequest copy;
    copy.mix.copy = true;
    copy.allowRequantize = true; // what the folder stores in blocks stays as it is
    WB_TRY_ASSIGN(QuantizePlan plan, planQuantize(std::move(model), copy));
    plan.fileType = type;
    plan.copy = false;
    plan.problems.insert(plan.problems.begin(), plain->problems.begin(), plain->problems.end());
    output.plan = std::make_shared<const QuantizePlan>(std::move(plan));
    output.plain = std::move(plain);
    return {};
}

// Tensors that a folder stores in blocks are no reason to refuse a plan whose text is all that is wanted.
Result<std::string> plainText(const PlanInput& input, QuantizeRequest request, const PlanOutput& output) {
    request.allowRequantize = true;
    WB_TRY_ASSIGN(const QuantizePlan plan, planQuantize(output.model, request));
    request.allowRequantize = input.request.allowRequantize;
    return planJson(plan, request, input.matrixFile, input.folder);
}

Result<void> plan(const PlanInput& input, const Progress& progress, PlanOutput& output) {
    if (!output.model) WB_TRY(openModel(input, progress, output));
    if (input.savedPlan) {
        const auto fits = checkPlanFits(*input.savedPlan, *output.model);
        output.isForOtherModel = !fits;
        WB_TRY(fits);
    }
    if (!output.matrix && !input.matrixFile.isNone()) {
        WB_TRY_ASSIGN(output.matrix, readMatrix(input.matrixFile, progress));
    }
    QuantizeRequest request = input.request;
    if (output.conversion && input.takesUsualType) {
        output.usualType = output.conversion->type;
        request.mix.fileType = *output.usualType;
    }
    request.matrix = output.matrix;
    output.ownTypes = ownTypes(output.model, request);
    if (input.savedPlan) request.types = output.ownTypes;
    if (output.isAdapter && onlyFloatType(request) != output.conversion->type) {
        const std::string name = io::baseName(input.path);
        return fail(ErrorCode::Invalid, Reason("plan.adapter_type"), About{name},
                    WB_TEXT("{} is an adapter, which is written as F32; leave the type out."), name);
    }
    if (const auto type = onlyFloatType(request); output.conversion && type) {
        WB_TRY(planPlain(input, *type, output));
        output.text = plainText(input, request, output);
        return {};
    }
    WB_TRY_ASSIGN(QuantizePlan plan, planQuantize(output.model, request));
    output.text = planJson(plan, request, input.matrixFile, input.folder);
    if (output.conversion)
        plan.problems.insert(plan.problems.begin(), output.conversion->problems.begin(), output.conversion->problems.end());
    output.plan = std::make_shared<const QuantizePlan>(std::move(plan));
    return {};
}

} // namespace

Result<PlanOutput> makePlan(const PlanInput& input, const Progress& progress) {
    PlanOutput output;
    output.model = input.model;
    output.matrix = input.matrix;
    output.conversion = input.conversion;
    output.isAdapter = input.isAdapter;
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

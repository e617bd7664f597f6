// SPDX-License-Identifier: MIT
#include "core/convert/open_source.h"
#include "core/convert/plan_job.h"

#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/converted_model.h"
#include "core/convert/source/decoded_model.h"
#include "core/convert/source/kept_blocks.h"
#include "core/quant/mix/mix.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

using gguf::FileType;
using quantize::QuantizePlan;
using quantize::QuantizeRequest;
using Types = std::map<std::string, Dtype>; // by the name of the new tensor

// Those that a plan file expresses for converting alone; the converter's rules for the others differ from quantizing to them.
constexpr std::array plainTypes = {FileType::F32, FileType::F16, FileType::BF16};

std::filesystem::path pathFromUtf8(const std::string& utf8) {
    return std::filesystem::path(std::u8string(utf8.begin(), utf8.end()));
}

Types plannedTypes(const ConvertPlan& plan) {
    Types types;
    for (const PlannedTensor& tensor : plan.tensors) types.emplace(tensor.name, tensor.to);
    return types;
}

Types plannedTypes(const QuantizePlan& plan) {
    Types types;
    for (const quantize::PlannedTensor& tensor : plan.tensors) types.emplace(plan.model->tensors[tensor.source].name, tensor.to);
    return types;
}

class GgufPlanner {
public:
    GgufPlanner(const GgufRequest& request, const Progress& progress, GgufPlanned& planned)
        : m_request(request), m_options{request.isTrusted, request.threads, progress}, m_planned(planned) {
        m_planned.model = request.model;
        m_planned.conversion = request.conversion;
        m_planned.isAdapter = request.isAdapter;
        m_planned.matrix = request.matrix;
        m_planned.planText = noPlanText();
    }

    Result<void> run() {
        if (!m_planned.model) WB_TRY(open());
        if (m_request.onlyConverts && m_planned.conversion) return finishConversion();
        WB_TRY(checkSavedPlan());
        WB_TRY(readMatrix());
        WB_TRY(settleRequest());
        const auto type = onlyFloatType(m_planned.request);
        if (m_planned.conversion && type) return planPlain(*type);
        return planQuantized();
    }

private:
    // A folder becomes the file that converting makes of it, read without being written.
    Result<void> open() {
        WB_TRY_ASSIGN(ModelPtr source, convert::openSource(m_request.source, m_options));
        const bool isMerged = !m_request.folder.merge.isNone() || !m_request.folder.adapters.empty();
        if (isMerged || !hasMxfp4Blocks(*source)) {
            WB_TRY_ASSIGN(source, decodedModel(source));
        }
        const auto openOther = [this](const std::filesystem::path& path) -> Result<ModelPtr> {
            WB_TRY_ASSIGN(ModelPtr other, convert::openSource(path, m_options));
            return decodedModel(std::move(other));
        };
        WB_TRY_ASSIGN(source, withModels(std::move(source), m_request.folder.merge, openOther));
        WB_TRY_ASSIGN(source, withAdapters(std::move(source), m_request.folder.adapters, m_options));
        const bool converts = m_request.accepts != Accepts::Gguf;
        m_planned.isAdapter = converts && source->format == FormatId::Peft;
        if (!m_planned.isAdapter && !(converts && source->format == FormatId::HuggingFace) &&
            m_request.accepts != Accepts::Folder) {
            m_planned.model = std::move(source);
            return {};
        }
        WB_TRY_ASSIGN(auto conversion, m_planned.isAdapter ? planOfAdapter(std::move(source))
                                                           : planFolder(source, m_request.outType, m_request.onlyConverts));
        if (!m_request.onlyConverts) {
            WB_TRY_ASSIGN(m_planned.model, convertedModel(conversion));
        }
        m_planned.conversion = std::move(conversion);
        return {};
    }

    // What is quantized then is read as it was decoded.
    Result<std::shared_ptr<const ConvertPlan>> planFolder(const ModelPtr& folder, std::optional<FileType> type, bool isLast) const {
        ConvertRequest request{type, m_request.folder.modelName, m_request.folder.preTokenizer};
        if (!m_request.folder.chatTemplate.empty()) request.chatTemplate = m_request.folder.chatTemplate;
        request.metadata = m_request.metadata;
        request.onlyVocabulary = m_request.onlyVocabulary;
        request.keepsBlocks = isLast && m_request.keepsBlocks;
        WB_TRY_ASSIGN(auto plan, planConvert(folder, request));
        return std::make_shared<const ConvertPlan>(std::move(plan));
    }

    Result<std::shared_ptr<const ConvertPlan>> planOfAdapter(ModelPtr adapter) const {
        const std::string name = io::baseName(adapter->path);
        if (m_request.folder.base.empty())
            return fail(ErrorCode::Invalid, adapterNeedsBase, About{name},
                        WB_TEXT("{} is an adapter; specify the folder of its base model."), name);
        if (m_request.onlyConverts && m_request.outType.value_or(FileType::F32) != FileType::F32) return adapterHasOneType();
        WB_TRY_ASSIGN(ModelPtr base, convert::openSource(pathFromUtf8(m_request.folder.base), m_options));
        WB_TRY_ASSIGN(base, decodedModel(base));
        WB_TRY_ASSIGN(auto plan, planAdapter(std::move(adapter), std::move(base), m_request.folder.modelName));
        return std::make_shared<const ConvertPlan>(std::move(plan));
    }

    std::unexpected<Error> adapterHasOneType() const {
        const std::string name = io::baseName(m_request.source);
        return fail(ErrorCode::Invalid, Reason("plan.adapter_type"), About{name},
                    WB_TEXT("{} is an adapter, which is written as F32; remove the type."), name);
    }

    Result<void> checkSavedPlan() {
        if (!m_request.savedPlan) return {};
        auto fits = checkPlanFits(*m_request.savedPlan, *m_planned.model);
        m_planned.isForOtherModel = !fits;
        return fits;
    }

    Result<void> readMatrix() {
        if (m_planned.matrix || m_request.matrixFile.isNone()) return {};
        WB_TRY_ASSIGN(m_planned.matrix, quantize::readMatrix(m_request.matrixFile, m_options.progress));
        return {};
    }

    Result<void> settleRequest() {
        QuantizeRequest& request = m_planned.request = m_request.quantize;
        if (m_planned.conversion && m_request.takesUsualType) {
            m_planned.usualType = m_planned.conversion->type;
            request.mix.fileType = *m_planned.usualType;
        }
        request.matrix = m_planned.matrix;
        m_planned.ownTypes = ownTypes();
        if (m_request.savedPlan) request.types = m_planned.ownTypes;
        if (m_planned.isAdapter && onlyFloatType(request) != m_planned.conversion->type) return adapterHasOneType();
        return {};
    }

    // A saved plan names the type of every tensor; chosen are those that the type of the file would not give.
    Types ownTypes() const {
        QuantizeRequest request = m_planned.request;
        Types types = std::exchange(request.types, {});
        if (types.empty()) return types;
        const Types usual = usualTypes(request);
        std::erase_if(types, [&usual](const auto& chosen) {
            const auto same = usual.find(chosen.first);
            return same != usual.end() && same->second == chosen.second;
        });
        return types;
    }

    Types usualTypes(const QuantizeRequest& request) const {
        const auto type = onlyFloatType(request);
        if (m_planned.conversion && type) {
            const auto plain = planOfType(*type);
            return plain ? plannedTypes(**plain) : Types();
        }
        const auto plan = planTypes(m_planned.model, request);
        return plan ? plannedTypes(*plan) : Types();
    }

    Result<std::shared_ptr<const ConvertPlan>> planOfType(FileType type) const {
        const ModelPtr& folder = m_planned.conversion->folder.model;
        const bool isKept = m_request.keepsBlocks && !m_planned.isAdapter && mayHaveBlocks(*folder);
        if (!isKept && (m_planned.isAdapter || type == m_planned.conversion->type)) return m_planned.conversion;
        return planFolder(folder, type, true);
    }

    // As it is converted, in one file or several.
    Result<void> finishConversion() {
        if (m_request.quantize.split.isNone()) return finishPlain(m_planned.conversion);
        QuantizeRequest& request = m_planned.request;
        request.mix.copy = true;
        request.copies = quantize::CopyMode::Keep;
        request.split = m_request.quantize.split;
        WB_TRY_ASSIGN(m_planned.model, convertedModel(m_planned.conversion));
        return planQuantized();
    }

    Result<void> planPlain(FileType type) {
        WB_TRY_ASSIGN(auto plain, planOfType(type));
        return finishPlain(std::move(plain));
    }

    Result<void> finishPlain(std::shared_ptr<const ConvertPlan> plain) {
        m_planned.planText = plainText(*plain);
        m_planned.job = convertJob(plain, facts(gguf::info(plain->type).name));
        m_planned.plain = std::move(plain);
        return {};
    }

    // Plan files are for the model as it is converted with its automatic type, so that any type can be chosen again.
    Result<std::string> plainText(const ConvertPlan& plain) const {
        if (hasMore() || plain.keepsBlocks || std::ranges::find(plainTypes, plain.type) == plainTypes.end()) return noPlanText();
        ModelPtr model = m_planned.model;
        if (!model) {
            WB_TRY_ASSIGN(const auto usual, m_request.outType && !m_planned.isAdapter ? planFolder(plain.folder.model, {}, false)
                                                                                      : m_planned.conversion);
            WB_TRY_ASSIGN(model, convertedModel(usual));
        }
        const Types types = plannedTypes(plain);
        quantize::PlanContents contents{model.get(), gguf::info(plain.type).name, {}};
        for (const std::size_t tensor : quant::quantizationOrder(*model))
            if (const auto type = types.find(model->tensors[tensor].name); type != types.end()) contents.tensors.push_back(*type);
        return planJson(contents, m_planned.request, m_request.matrixFile, m_request.folder);
    }

    Result<void> planQuantized() {
        WB_TRY_ASSIGN(QuantizePlan plan, planQuantize(m_planned.model, m_planned.request));
        m_planned.planText = hasMore() || dividesOtherType()
                                 ? noPlanText()
                                 : planJson(plan, m_planned.request, m_request.matrixFile, m_request.folder);
        if (const auto& conversion = m_planned.conversion)
            plan.problems.insert(plan.problems.begin(), conversion->problems.begin(), conversion->problems.end());
        auto shared = std::make_shared<const QuantizePlan>(std::move(plan));
        m_planned.job = quantizeJob(shared, facts(quant::targetName(shared->fileType, shared->copy)));
        m_planned.quantized = std::move(shared);
        return {};
    }

    JobFacts facts(std::string type) const {
        const bool isMerged = !m_request.folder.adapters.empty() || !m_request.folder.merge.isNone();
        const bool converts = m_planned.conversion || m_planned.request.copies != quantize::CopyMode::None;
        const JobKind kind = isMerged ? JobKind::Merge : converts ? JobKind::Convert : JobKind::Quantize;
        ModelPtr source = m_planned.conversion ? m_planned.conversion->folder.model : m_planned.model;
        return {kind, m_request.source, std::move(type), m_planned.planText.value_or(""), std::move(source)};
    }

    // Choices that no plan file can express.
    bool hasMore() const { return !m_request.metadata.empty() || m_request.onlyVocabulary; }

    // Plan files divide a folder as it is converted to its automatic type.
    bool dividesOtherType() const {
        const auto& conversion = m_planned.conversion;
        return m_request.onlyConverts && conversion && (m_request.outType || conversion->keepsBlocks);
    }

    static Result<std::string> noPlanText() {
        return fail(ErrorCode::Unsupported, Reason("convert.no_plan_file"),
                    WB_TEXT("A plan file cannot express added metadata, a vocabulary without tensors, or the reference converter's "
                            "own rules for Q8_0, TQ1_0 and TQ2_0; do not save this plan."));
    }

    const GgufRequest& m_request;
    SourceOptions m_options;
    GgufPlanned& m_planned;
};

} // namespace

GgufPlanned planGguf(const GgufRequest& request, const Progress& progress) {
    GgufPlanned planned;
    const auto result = GgufPlanner(request, progress, planned).run();
    if (!result) planned.failure = result.error();
    return planned;
}

GgufRequest requestFromPlan(const quantize::PlanFile& plan, const std::filesystem::path& source) {
    GgufRequest request;
    request.source = source;
    request.folder = plan.folder;
    request.quantize = plan.request;
    request.matrixFile = plan.matrix;
    request.savedPlan = plan;
    return request;
}

} // namespace wb::convert

// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/open_model.h"
#include "core/base/ascii.h"
#include "core/convert/gguf/adapter_plan.h"
#include "core/convert/gguf/converted_model.h"
#include "core/convert/run/work_files.h"
#include "core/formats/json/json.h"

#include <algorithm>
#include <array>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using gguf::FileType;

// The types by which `--type` and `--outtype` mean the same.
constexpr std::array plainTypes = {FileType::F32, FileType::F16, FileType::BF16};

Result<FileType> outTypeOf(const std::string& text) {
    const auto type = gguf::fileTypeFromName(text);
    const auto known = convert::outTypes();
    if (type && std::ranges::find(known, *type) != known.end()) return *type;
    return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                WB_TEXT("{} is not a type that --outtype has; it is one of auto, f32, f16, bf16, q8_0, tq1_0 and tq2_0."), text);
}

bool hasMixOptions(const QuantizeOptions& mix) {
    return mix.pure || mix.leaveOutput || mix.allowRequantize || !mix.imatrix.empty() || !mix.tensorTypes.empty() ||
           !mix.tensorTypeFile.empty() || !mix.outputType.empty() || !mix.tokenEmbeddingType.empty() ||
           !mix.includeWeights.empty() || !mix.excludeWeights.empty();
}

Result<void> checkTogether(const ConvertOptions& options) {
    const auto refuse = [](const char* option, const char* sentence) {
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{option}, sentence);
    };
    if (!options.type.empty() && !options.outType.empty())
        return refuse("--type", WB_TEXT("--type and --outtype choose types by different rules; give one of them."));
    const bool hasType = !options.type.empty() && !ascii::same(options.type, "auto");
    if (hasMixOptions(options.mix) && !hasType)
        return refuse("--type", WB_TEXT("Options about importance data and types of tensors go with a type; give --type too."));
    const bool hasOwn = !options.type.empty() || !options.outType.empty() || !options.mix.overrides.empty() ||
                        !options.modelName.empty() || !options.preTokenizer.empty() || !options.adapters.empty() ||
                        !options.templateFile.empty();
    if (options.vocabOnly && (hasMixOptions(options.mix) || !options.type.empty()))
        return refuse("--vocab-only", WB_TEXT("--vocab-only writes no tensors, so there are no types to choose."));
    if (!options.planFile.empty() && hasOwn)
        return refuse("--plan", WB_TEXT("--plan decides about types, pairs and names; leave the other options about them out."));
    return {};
}

Result<std::string> readTemplate(const std::string& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    formats::Limits limits;
    limits.jsonText = 4 << 20;
    WB_TRY_ASSIGN(std::string text, json::readText(*source, source->name(), limits));
    if (!text.empty()) return text;
    return fail(ErrorCode::Malformed, Reason("cli.template"), About{source->name()}, WB_TEXT("{} is empty, so it is no template."),
                source->name());
}

class Preparation {
public:
    Preparation(const Context& context, const ConvertOptions& options, ConvertWanted wanted)
        : m_context(context), m_options(options), m_wanted(std::move(wanted)) {}

    Result<ConvertWork> run() {
        m_work.choices = m_wanted.choices;
        auto converted = convertFolder();
        if (!converted) return wrongFile(m_options.in, converted.error());
        if (!m_wanted.quantize) {
            planText({});
            return std::move(m_work);
        }
        auto planned = quantizeConverted();
        if (!planned) return wrongFile(m_isAboutMatrix ? m_work.matrix.path : m_options.in, planned.error());
        return std::move(m_work);
    }

private:
    static std::unexpected<Error> wrongFile(const std::string& path, Error error) {
        return std::unexpected(named(baseName(path), std::move(error)));
    }

    Result<void> convertFolder() {
        WB_TRY_ASSIGN(m_folder, openSource(m_context, m_options));
        WB_TRY_ASSIGN(m_folder, mergeInto(m_context, m_options, adapters(), m_folder));
        if (m_folder->format == "peft") return planAdapter();
        return planConversion(m_wanted.type);
    }

    std::vector<convert::AdapterFile> adapters() const {
        std::vector<convert::AdapterFile> files;
        for (const quantize::FolderAdapter& adapter : m_wanted.choices.adapters) files.push_back({adapter.path, adapter.scale});
        return files;
    }

    Result<void> planAdapter() {
        const std::string name = baseName(m_options.in);
        if (m_options.base.empty())
            return fail(ErrorCode::Invalid, convert::adapterNeedsBase, About{name},
                        WB_TEXT("{} is an adapter; name the folder of the model that it was made for."), name);
        if (m_wanted.quantize || (m_wanted.type && *m_wanted.type != FileType::F32))
            return fail(ErrorCode::Invalid, Reason("cli.adapter_type"), About{name},
                        WB_TEXT("{} is an adapter, which is written as F32; leave the type out."), name);
        WB_TRY_ASSIGN(ModelPtr base, openModel(m_context, m_options.base, formats::Strictness::Strict));
        WB_TRY_ASSIGN(auto plan, convert::planAdapter(m_folder, std::move(base), m_wanted.choices.modelName));
        m_work.conversion = std::make_shared<const convert::ConvertPlan>(std::move(plan));
        return {};
    }

    Result<void> planConversion(std::optional<FileType> type) {
        convert::ConvertRequest request{type, m_wanted.choices.modelName, m_wanted.choices.preTokenizer, {}};
        if (!m_wanted.choices.chatTemplate.empty()) request.chatTemplate = m_wanted.choices.chatTemplate;
        WB_TRY_ASSIGN(request.metadata, metadataOf(m_options.metadataFile));
        for (auto& [key, text] : request.metadata)
            if (!key.starts_with("general.")) key = "general." + key;
        request.onlyVocabulary = m_options.vocabOnly;
        WB_TRY_ASSIGN(auto plan, convert::planConvert(m_folder, request));
        m_work.conversion = std::make_shared<const convert::ConvertPlan>(std::move(plan));
        return {};
    }

    Result<void> quantizeConverted() {
        WB_TRY_ASSIGN(const ModelPtr model, convert::convertedModel(m_work.conversion));
        const ParsedOptions& parsed = *m_wanted.quantize;
        if (parsed.plan) WB_TRY(quantize::checkPlanFits(*parsed.plan, *model));
        m_work.request = parsed.request;
        m_work.matrix = parsed.matrix;
        m_isAboutMatrix = true;
        WB_TRY(m_context.files->alsoRead(fs::path(parsed.matrix.path))); // a plan's
        WB_TRY_ASSIGN(m_work.request.matrix, quantize::readMatrix(parsed.matrix, Progress{m_context.stop, {}}));
        m_isAboutMatrix = false;
        m_work.request.allowRequantize = m_work.request.allowRequantize || m_wanted.copies;
        WB_TRY_ASSIGN(auto plan, quantize::planQuantize(model, m_work.request));
        if (parsed.plan && isOnlyFloat(model)) return planConversion(m_work.request.mix.fileType);
        m_work.text = quantize::planJson(plan, m_work.request, m_work.matrix, m_work.choices).value_or("");
        if (!m_options.metadataFile.empty()) m_work.text.clear(); // a plan file names none
        m_work.quantized = std::move(plan);
        return {};
    }

    // A saved plan of converting alone: its types are those of a type of floats, and nothing else is asked for.
    bool isOnlyFloat(const ModelPtr& model) {
        quantize::QuantizeRequest request = m_work.request;
        request.types.clear();
        const auto usual = quantize::onlyFloatType(request) ? quantize::planTypes(model, request) : noPlan();
        const bool isUsual = usual && std::ranges::all_of(usual->tensors, [&](const quantize::PlannedTensor& tensor) {
                                 const auto own = m_work.request.types.find(model->tensors[tensor.source].name);
                                 return own == m_work.request.types.end() || own->second == tensor.to;
                             });
        if (isUsual) planText(m_work.request.mix.fileType);
        return isUsual;
    }

    static Result<quantize::QuantizePlan> noPlan() { return std::unexpected(cancelled()); }

    // So that the window can go on with a run: the plan file of converting alone, which has no words for --outtype's own rules.
    void planText(std::optional<FileType> type) {
        const bool hasMore = !m_options.metadataFile.empty() || m_options.vocabOnly;
        if (m_folder->format == "peft" || hasMore) return; // a plan file has no words for it
        const bool isFloat = !m_wanted.type || std::ranges::find(plainTypes, *m_wanted.type) != plainTypes.end();
        if (!isFloat) return;
        auto usual = m_work.conversion;
        if (m_wanted.type) {
            convert::ConvertRequest request{{}, m_wanted.choices.modelName, m_wanted.choices.preTokenizer, {}};
            if (!m_wanted.choices.chatTemplate.empty()) request.chatTemplate = m_wanted.choices.chatTemplate;
            auto planned = convert::planConvert(m_folder, request);
            if (!planned) return;
            usual = std::make_shared<const convert::ConvertPlan>(std::move(*planned));
        }
        const auto model = convert::convertedModel(usual);
        if (!model) return;
        quantize::QuantizeRequest request;
        request.mix.fileType = type.value_or(m_work.conversion->type);
        request.allowRequantize = true;
        const auto plan = quantize::planQuantize(*model, request);
        request.allowRequantize = false;
        if (plan) m_work.text = quantize::planJson(*plan, request, {}, m_work.choices).value_or("");
    }

    const Context& m_context;
    const ConvertOptions& m_options;
    ConvertWanted m_wanted;
    ModelPtr m_folder;
    ConvertWork m_work;
    bool m_isAboutMatrix = false; // what fails
};

} // namespace

Result<ConvertWanted> parseConvert(const ConvertOptions& options) {
    WB_TRY(checkTogether(options));
    ConvertWanted wanted;
    wanted.choices = {options.modelName, options.preTokenizer, {}, {}};
    for (convert::AdapterFile& adapter : adaptersOf(options))
        wanted.choices.adapters.push_back({std::move(adapter.path), adapter.scale});
    if (!options.templateFile.empty()) {
        WB_TRY_ASSIGN(wanted.choices.chatTemplate, readTemplate(options.templateFile));
    }
    if (!options.planFile.empty()) {
        WB_TRY_ASSIGN(quantize::PlanFile plan, quantize::readPlan(fs::path(options.planFile)));
        wanted.choices = plan.folder;
        wanted.quantize.emplace();
        wanted.quantize->request = plan.request;
        wanted.quantize->matrix = plan.matrix;
        wanted.quantize->plan = std::move(plan);
        return wanted;
    }
    if (!options.outType.empty() && !ascii::same(options.outType, "auto")) {
        WB_TRY_ASSIGN(wanted.type, outTypeOf(options.outType));
    }
    const bool isAuto = options.type.empty() || ascii::same(options.type, "auto");
    const auto named = isAuto ? std::nullopt : gguf::fileTypeFromName(options.type);
    const bool isPlain = isAuto || (named && std::ranges::find(plainTypes, *named) != plainTypes.end());
    if (isPlain && !hasMixOptions(options.mix)) {
        if (named) wanted.type = named;
        if (options.mix.overrides.empty()) return wanted;
        wanted.copies = true;
    }
    QuantizeOptions mix = options.mix;
    mix.in = options.in;
    mix.out = options.out;
    mix.type = wanted.copies ? std::string(quant::copyTarget) : options.type;
    mix.reportFile = options.reportFile;
    mix.savePlanFile = options.savePlanFile;
    WB_TRY_ASSIGN(wanted.quantize, parseOptions(mix));
    return wanted;
}

Result<ConvertWork> prepareConvert(const Context& context, const ConvertOptions& options, ConvertWanted wanted) {
    return Preparation(context, options, std::move(wanted)).run();
}

std::vector<ConvertRow> convertRows(const ConvertWork& work) {
    std::vector<ConvertRow> rows;
    if (work.quantized)
        for (const quantize::PlannedTensor& tensor : work.quantized->tensors)
            rows.push_back({&work.conversion->tensors[tensor.source], tensor.to, tensor.bytes, tensor.offset});
    else
        for (const convert::PlannedTensor& tensor : work.conversion->tensors)
            rows.push_back({&tensor, tensor.to, tensor.bytes, tensor.offset});
    return rows;
}

std::uint64_t fileBytes(const ConvertWork& work) {
    return work.quantized ? work.quantized->fileBytes() : work.conversion->fileBytes;
}

} // namespace wb::cli

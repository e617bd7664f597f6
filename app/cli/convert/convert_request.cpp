// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "core/base/ascii.h"
#include "core/formats/json/json.h"

#include <algorithm>
#include <array>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using gguf::FileType;

// The types by which `--type` and `--outtype` mean the same.
constexpr std::array plainTypes = {FileType::F32, FileType::F16, FileType::BF16};

Result<FileType> outTypeFromText(const std::string& text) {
    const auto type = gguf::fileTypeFromName(text);
    const auto known = convert::outTypes();
    if (type && std::ranges::find(known, *type) != known.end()) return *type;
    return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                WB_TEXT("{} is not a valid --outtype; use auto, f32, f16, bf16, q8_0, tq1_0 or tq2_0."), text);
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
        return refuse("--type", WB_TEXT("--type and --outtype are mutually exclusive; use one of them."));
    const bool hasType = !options.type.empty() && !ascii::same(options.type, "auto");
    if (hasMixOptions(options.mix) && !hasType)
        return refuse("--type", WB_TEXT("Options for importance data and tensor types require --type."));
    const bool hasOwn = !options.type.empty() || !options.outType.empty() || !options.mix.overrides.empty() ||
                        !options.modelName.empty() || !options.preTokenizer.empty() || !options.adapters.empty() ||
                        !options.templateFile.empty() || options.split.isGiven();
    if (options.vocabOnly && (hasMixOptions(options.mix) || !options.type.empty()))
        return refuse("--vocab-only", WB_TEXT("--vocab-only writes no tensors, so types cannot be chosen."));
    if (!options.planFile.empty() && hasOwn)
        return refuse("--plan",
                      WB_TEXT("--plan already specifies types, metadata and names; remove the other options about them."));
    return {};
}

Result<std::string> readTemplate(const std::string& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    formats::Limits limits;
    limits.jsonText = 4 << 20;
    WB_TRY_ASSIGN(std::string text, json::readText(*source, source->name(), limits));
    if (!text.empty()) return text;
    return fail(ErrorCode::Malformed, Reason("cli.template"), About{source->name()}, WB_TEXT("{} is empty and not a template."),
                source->name());
}

// The choices of the options about adapters, names and texts.
Result<quantize::FolderChoices> folderChoices(const ConvertOptions& options) {
    quantize::FolderChoices choices{options.modelName,
                                    options.preTokenizer,
                                    {},
                                    adapterFiles(options),
                                    {},
                                    options.base.empty() ? std::string() : absolutePath(options.base)};
    WB_TRY_ASSIGN(choices.merge, readMergeChoices(options.merge));
    if (!options.templateFile.empty()) {
        WB_TRY_ASSIGN(choices.chatTemplate, readTemplate(options.templateFile));
    }
    return choices;
}

// The request that a type or pairs of the command line make: converting alone, or quantizing in the same pass.
Result<void> chooseTypes(const ConvertOptions& options, convert::GgufRequest& request) {
    if (!options.outType.empty() && !ascii::same(options.outType, "auto")) {
        WB_TRY_ASSIGN(request.outType, outTypeFromText(options.outType));
    }
    const bool isAuto = options.type.empty() || ascii::same(options.type, "auto");
    const auto named = isAuto ? std::nullopt : gguf::fileTypeFromName(options.type);
    const bool isPlain = isAuto || (named && std::ranges::find(plainTypes, *named) != plainTypes.end());
    const bool converts = isPlain && !hasMixOptions(options.mix), copies = converts && !options.mix.overrides.empty();
    if (converts && named) request.outType = named;
    request.onlyConverts = converts && !copies;
    if (request.onlyConverts) return {};
    QuantizeOptions mix = options.mix;
    mix.in = options.in;
    mix.out = options.out;
    mix.type = copies ? std::string(quant::copyTarget) : options.type;
    mix.reportFile = options.reportFile;
    mix.savePlanFile = options.savePlanFile;
    WB_TRY_ASSIGN(ParsedOptions parsed, parseOptions(mix));
    request.quantize = std::move(parsed.request);
    request.quantize.allowRequantize = request.quantize.allowRequantize || copies;
    request.matrixFile = std::move(parsed.matrix);
    return {};
}

} // namespace

Result<convert::GgufRequest> ggufRequest(const Context& context, const ConvertOptions& options) {
    WB_TRY(checkTogether(options));
    convert::GgufRequest request;
    if (options.planFile.empty()) {
        WB_TRY_ASSIGN(request.folder, folderChoices(options));
        WB_TRY(chooseTypes(options, request));
        WB_TRY_ASSIGN(request.quantize.split, parseSplit(options.split));
    } else {
        WB_TRY_ASSIGN(const quantize::PlanFile plan, quantize::readPlan(fs::path(options.planFile)));
        request = convert::requestFromPlan(plan, {});
        if (!options.base.empty()) request.folder.base = absolutePath(options.base);
    }
    request.source = fs::path(options.in);
    request.accepts = convert::Accepts::Folder;
    request.isTrusted = options.yes;
    request.threads = context.threads;
    WB_TRY_ASSIGN(request.metadata, metadataFromFile(options.metadataFile));
    for (auto& [key, text] : request.metadata)
        if (!key.starts_with("general.")) key = "general." + key;
    request.onlyVocabulary = options.vocabOnly;
    request.keepsBlocks = options.keepQuantized;
    return request;
}

std::vector<ConvertRow> convertRows(const ConvertResult& result) {
    std::vector<ConvertRow> rows;
    const auto& tensors = result.conversion().tensors;
    if (result.work.quantized)
        for (const quantize::PlannedTensor& tensor : result.work.quantized->tensors)
            rows.push_back({&tensors[tensor.source], tensor.to, tensor.bytes, tensor.offset, tensor.file});
    else
        for (const convert::PlannedTensor& tensor : tensors) rows.push_back({&tensor, tensor.to, tensor.bytes, tensor.offset, 0});
    return rows;
}

} // namespace wb::cli

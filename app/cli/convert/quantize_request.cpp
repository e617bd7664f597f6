// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "core/base/ascii.h"
#include "core/base/size.h"
#include "core/base/text.h"
#include "core/formats/json/json.h"
#include "core/quant/quantize.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

Result<Dtype> parseType(const std::string& text) {
    const auto type = dtypeFromName(text);
    if (type && quant::canQuantize(*type)) return *type;
    return fail(ErrorCode::Invalid, Reason("cli.type"), About{text}, WB_TEXT("{} is not a quantization type for tensors."), text);
}

Result<std::optional<Dtype>> parseOptionalType(const std::string& text) {
    if (text.empty()) return std::nullopt;
    WB_TRY_ASSIGN(const Dtype type, parseType(text));
    return std::optional(type);
}

// Cut where the reference cuts: two rules in one text are none.
Result<quant::TensorTypeRule> parseRule(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail(ErrorCode::Invalid, Reason("cli.tensor_type_form"), About{text},
                    WB_TEXT("{} does not have the form REGEX=TYPE."), text);
    WB_TRY_ASSIGN(const Dtype type, parseType(text.substr(equals + 1)));
    return quant::TensorTypeRule{text.substr(0, equals), type};
}

// By its name or, as llama-quantize has it, by its number in general.file_type.
std::optional<quant::FileType> fileTypeFromText(const std::string& text) {
    if (const auto named = quant::fileTypeFromName(text)) return named;
    for (const quant::FileTypeInfo& row : quant::allFileTypes())
        if (text == fmt::format("{}", row.value)) return row.type;
    return std::nullopt;
}

Result<void> parseTarget(const std::string& text, quant::MixOptions& mix) {
    mix.copy = ascii::same(text, quant::copyTarget);
    const auto type = fileTypeFromText(text);
    if (!type && !mix.copy) {
        const auto dtype = dtypeFromName(text);
        if (dtype == Dtype::Q8_1 || dtype == Dtype::Q8_K)
            return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                        WB_TEXT("{} is only used for activations, never in files; choose another type."), text);
        return fail(ErrorCode::Invalid, Reason("cli.type"), About{text},
                    WB_TEXT("{} is not a quantization type; try Q4_K_M, Q8_0 or IQ4_XS."), text);
    }
    mix.fileType = type.value_or(quant::FileType::F32);
    return {};
}

constexpr std::uint64_t longestRuleFile = 1 << 20;

Result<std::vector<quant::TensorTypeRule>> parseRules(const std::string& text) {
    std::vector<quant::TensorTypeRule> rules;
    std::istringstream words{std::string(withoutByteOrderMark(text))};
    for (std::string word; words >> word;) {
        WB_TRY_ASSIGN(auto rule, parseRule(word));
        rules.push_back(std::move(rule));
    }
    WB_TRY(quant::checkPatterns(rules));
    return rules;
}

Result<std::vector<quant::TensorTypeRule>> readRules(const std::string& path) {
    if (path.empty()) return {};
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(fs::path(path)));
    formats::Limits limits;
    limits.jsonText = longestRuleFile;
    WB_TRY_ASSIGN(const std::string text, json::readText(*source, source->name(), limits));
    auto rules = parseRules(text);
    if (!rules)
        return fail(ErrorCode::Malformed, Reason("cli.tensor_type_file"), About{source->name()},
                    WB_TEXT("{} contains an invalid rule. {}"), source->name(), rules.error().message());
    return rules;
}

Result<std::set<std::uint32_t>> parseLayers(const std::string& text) {
    std::set<std::uint32_t> layers;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        at = std::min(text.find_first_not_of(' ', at), end);
        std::uint32_t layer = 0;
        const auto [next, error] = std::from_chars(text.data() + at, text.data() + end, layer);
        if (error != std::errc{} || next != text.data() + end)
            return fail(ErrorCode::Invalid, Reason("cli.layers"), About{text}, WB_TEXT("{} is not a list of layers such as 3,4,5."),
                        text);
        layers.insert(layer);
        at = end + 1;
    }
    return layers;
}

Result<quantize::QuantizeRequest> optionsRequest(const QuantizeOptions& options) {
    quantize::QuantizeRequest request;
    request.allowRequantize = options.allowRequantize;
    request.keepSplit = options.keepSplit;
    WB_TRY_ASSIGN(request.split, parseSplit(options.split));
    request.mix.pure = options.pure;
    request.mix.leaveOutput = options.leaveOutput;
    if (!options.type.empty()) WB_TRY(parseTarget(options.type, request.mix));
    WB_TRY_ASSIGN(request.mix.outputType, parseOptionalType(options.outputType));
    WB_TRY_ASSIGN(request.mix.tokenEmbeddingType, parseOptionalType(options.tokenEmbeddingType));
    for (const std::string& text : options.tensorTypes) {
        WB_TRY_ASSIGN(auto rule, parseRule(text));
        request.mix.rules.push_back(std::move(rule));
    }
    WB_TRY(quant::checkPatterns(request.mix.rules));
    for (const std::string& text : options.overrides) {
        WB_TRY_ASSIGN(auto override, quantize::parseKeyOverride(text));
        request.overrides.push_back(std::move(override));
    }
    WB_TRY_ASSIGN(request.prune, parseLayers(options.pruneLayers));
    WB_TRY_ASSIGN(const auto fromFile, readRules(options.tensorTypeFile));
    request.mix.rules.insert(request.mix.rules.end(), fromFile.begin(), fromFile.end());
    return request;
}

// Decisions of a plan cannot be repeated as options.
Result<void> checkAlone(const QuantizeOptions& options) {
    if (!options.imatrix.empty() || !options.includeWeights.empty() || !options.excludeWeights.empty() ||
        !options.tensorTypes.empty() || !options.tensorTypeFile.empty() || !options.outputType.empty() ||
        !options.tokenEmbeddingType.empty() || options.pure || options.leaveOutput || options.allowRequantize ||
        options.keepSplit || options.split.isGiven() || !options.overrides.empty() || !options.pruneLayers.empty())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--plan"},
                    WB_TEXT("--plan already specifies types and importance data; remove the other options about them."));
    return {};
}

} // namespace

Result<std::uint64_t> parseShardBytes(const std::string& text) {
    if (ascii::same(text, "none")) return 0;
    const auto bytes = parseSize(text);
    if (bytes && *bytes > 0) return *bytes;
    return fail(ErrorCode::Invalid, Reason("cli.size"), About{text},
                WB_TEXT("{} is not a valid size; use a size such as 5GB or 300M, or none."), text);
}

Result<quantize::FileSplit> parseSplit(const SplitOptions& options) {
    quantize::FileSplit split{0, options.maxTensors, options.noTensorFirst};
    if (!options.shardSize.empty()) {
        WB_TRY_ASSIGN(split.bytes, parseShardBytes(options.shardSize));
    }
    return split;
}

Result<ParsedOptions> parseOptions(const QuantizeOptions& options) {
    if (!options.type.empty() + !options.planFile.empty() + !options.budget.empty() != 1)
        return fail(ErrorCode::Invalid, Reason("cli.options"), WB_TEXT("Specify one of TYPE, --plan FILE and --budget SIZE."));
    if (!options.includeWeights.empty() && !options.excludeWeights.empty())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--include-weights"},
                    WB_TEXT("--include-weights and --exclude-weights cannot be used together."));
    if (options.imatrix.empty() && !(options.includeWeights.empty() && options.excludeWeights.empty()))
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--include-weights"},
                    WB_TEXT("--include-weights and --exclude-weights require --imatrix."));
    if (options.keepSplit && options.split.isGiven())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--keep-split"},
                    WB_TEXT("--keep-split and --shard-size, --max-tensors or --no-tensor-first-split cannot be used together."));
    if (options.budgetExact && options.budget.empty())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--budget-exact"},
                    WB_TEXT("--budget-exact requires --budget SIZE."));
    for (const auto* const words : {&options.overrides, &options.includeWeights, &options.excludeWeights})
        if (!options.savePlanFile.empty() && !std::ranges::all_of(*words, isUtf8))
            return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--save-plan"},
                        WB_TEXT("A plan cannot store text that is not valid UTF-8; remove --save-plan."));
    ParsedOptions parsed;
    if (!options.budget.empty()) {
        const auto bytes = parseSize(options.budget);
        if (!bytes)
            return fail(ErrorCode::Invalid, Reason("cli.size"), About{options.budget},
                        WB_TEXT("{} is not a size; use the form 4.2GB or 3900MiB."), options.budget);
        if (options.pure || !options.tensorTypes.empty() || !options.tensorTypeFile.empty())
            return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--budget"},
                        WB_TEXT("--budget chooses the types itself; remove --pure and --tensor-type."));
        parsed.budget = *bytes;
    }
    if (options.planFile.empty()) {
        WB_TRY_ASSIGN(parsed.request, optionsRequest(options));
        parsed.matrix = {options.imatrix, {}, options.includeWeights, options.excludeWeights};
    } else {
        WB_TRY(checkAlone(options));
    }
    return parsed;
}

} // namespace wb::cli

// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_plan.h"

#include "core/convert/quantize/copy_plan.h"
#include "core/convert/quantize/file_layout.h"
#include "core/convert/quantize/prune_layers.h"
#include "core/base/text.h"
#include "core/io/target.h"
#include "core/quant/quantize.h"
#include "core/quant/mix/tensor_category.h"
#include "core/quant/mix/unmatched_rules.h"

#include <algorithm>
#include <numeric>

#include <fmt/ranges.h>

namespace wb::quantize {
namespace {

constexpr std::uint32_t quantizationVersion = 2;
constexpr std::size_t longestOverride = 127; // the reference cuts the texts it adds here

constexpr std::uint32_t guessed = 1024; // general.file_type of a file that does not specify it itself

// The file type that the reference's reader determines: the type most of its tensors have, the first of equals.
std::uint32_t guessedFileType(const Model& model) {
    std::map<Dtype, std::size_t> counts;
    std::size_t most = 0;
    Dtype type = Dtype::F32;
    for (const std::size_t i : quant::quantizationOrder(model)) {
        const Dtype dtype = model.tensors[i].dtype;
        if (++counts[dtype] <= most) continue;
        most = counts[dtype];
        type = dtype;
    }
    const auto file = type == Dtype::MXFP4 ? std::nullopt : quant::fileTypeFromName(wb::name(type)); // it does not know that one
    return (file ? quant::info(*file).value : 0) | guessed;
}

// A copy keeps the source's metadata.
std::uint32_t fileTypeValue(const Model& model, const quant::MixOptions& mix) {
    if (!mix.copy) return quant::info(mix.fileType).value;
    const Value* const own = model.metadata.find("general.file_type");
    return own ? static_cast<std::uint32_t>(*own->unsignedNumber()) : guessedFileType(model);
}

// The reference keeps another alignment's key and lays the data out for 32 still, a file its own reader refuses; here the key
// states the real alignment.
void alignTo32(std::vector<gguf::StoredPair>& pairs, QuantizePlan& plan) {
    for (gguf::StoredPair& pair : pairs) {
        if (pair.key != "general.alignment") continue;
        gguf::StoredPair usual = gguf::makePair(pair.key, static_cast<std::uint32_t>(gguf::writtenAlignment));
        if (usual.bytes == pair.bytes) continue;
        pair = std::move(usual);
        plan.problems.push_back(makeProblem(Severity::Note, "quantize.alignment", "", {},
                                            WB_TEXT("{} has an alignment other than {}; the new file uses the default."),
                                            plan.model->files[0].name, gguf::writtenAlignment));
    }
}

void addMatrixPairs(std::vector<gguf::StoredPair>& pairs, const quant::Imatrix& matrix) {
    const auto text = [&](const char* key, const std::string& value) {
        gguf::setPair(pairs, gguf::makePair(key, std::string_view(value).substr(0, longestOverride)));
    };
    const auto number = [&](const char* key, std::uint64_t value) {
        if (value > 0) gguf::setPair(pairs, gguf::makePair(key, static_cast<std::uint32_t>(value)));
    };
    text("quantize.imatrix.file", matrix.file);
    if (!matrix.datasets.empty()) text("quantize.imatrix.dataset", matrix.datasets[0]);
    number("quantize.imatrix.entries_count", matrix.entries.size());
    number("quantize.imatrix.chunks_count", matrix.chunks);
}

Result<std::vector<gguf::StoredPair>> newPairs(const Model& model, const QuantizeRequest& request, QuantizePlan& plan) {
    WB_TRY_ASSIGN(const auto source, openFile(model, 0));
    WB_TRY_ASSIGN(auto pairs, gguf::readStoredPairs(*source));
    alignTo32(pairs, plan);
    gguf::setPair(pairs, gguf::makePair("general.quantization_version", quantizationVersion));
    gguf::setPair(pairs, gguf::makePair("general.file_type", fileTypeValue(model, request.mix)));
    removeSplitPairs(pairs);
    setOverrides(pairs, request.overrides);
    if (request.matrix) addMatrixPairs(pairs, *request.matrix);
    return pairs;
}

// Those that another type could use.
quant::ColumnWeights fittingWeights(const std::string& measured, const TensorInfo& tensor, const quant::Imatrix& matrix) {
    const quant::ColumnWeights values = matrix.find(measured);
    return values.size() == quant::weightCount(tensor.shape) ? values : quant::ColumnWeights();
}

// The matrix' columns for a tensor: one value a column of every matrix of a stack. A wrong length is an error but for the token
// embeddings, whose entry the reference ignores. `measured` is the tensor's name in the whole model.
Result<quant::ColumnWeights> weightsFor(const std::string& measured, const TensorInfo& tensor, QuantizePlan& plan) {
    const quant::Imatrix& matrix = *plan.matrix;
    const quant::ColumnWeights values = matrix.find(measured);
    const std::uint64_t wanted = quant::weightCount(tensor.shape);
    if (values.empty() || values.size() == wanted) return values;
    if (quant::tensorCategory(tensor.name) != quant::Category::TokenEmbedding)
        return fail(ErrorCode::Malformed, Reason("quantize.matrix_columns"), About{matrix.file},
                    WB_TEXT("The importance matrix {} has {} values for {}, which needs {}; it was made for another "
                            "model."),
                    matrix.file, values.size(), tensor.name, wanted);
    plan.problems.push_back(makeProblem(Severity::Note, "quantize.matrix_ignored", "", {},
                                        WB_TEXT("The importance matrix does not match {} and is not used for it."), tensor.name));
    return quant::ColumnWeights();
}

// Whether a matrix of this model would say something of the tensor: it sees what activations are multiplied with inside the layers.
bool wantsWeights(const TensorInfo& tensor, const PlannedTensor& planned) {
    const quant::Category category = quant::tensorCategory(tensor.name);
    return !planned.kept && quant::weightUse(planned.to) != quant::WeightUse::Ignored &&
           category != quant::Category::TokenEmbedding && category != quant::Category::Output;
}

void noteMissingWeights(QuantizePlan& plan) {
    std::size_t wanted = 0, missing = 0;
    for (const PlannedTensor& planned : plan.tensors) {
        if (!wantsWeights(plan.model->tensors[planned.source], planned)) continue;
        ++wanted;
        missing += planned.weights.empty();
    }
    if (missing > 0)
        plan.problems.push_back(
            makeProblem(Severity::Warning, "quantize.matrix_incomplete", "", {},
                        WB_TEXT("The importance matrix {} has no data for {} of {} tensors; it may belong to another model."),
                        plan.matrix->file, missing, wanted));
}

Result<void> checkSource(const Model& model, const TensorInfo& tensor, Dtype to, bool allowRequantize) {
    if (!tensor.isReadable())
        return fail(ErrorCode::Unsupported, Reason("quantize.no_values"), About{model.files[0].name},
                    WB_TEXT("{} cannot be quantized, because the values of {} cannot be read."), model.files[0].name, tensor.name);
    const DtypeKind kind = wb::info(tensor.dtype).kind;
    if (tensor.dtype == to || tensor.dtype == Dtype::F32 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::BF16) return {};
    if (kind == DtypeKind::Block && allowRequantize) return {};
    if (kind == DtypeKind::Block)
        return fail(ErrorCode::Invalid, quantizedAlready, About{model.files[0].name},
                    WB_TEXT("{} is already quantized ({} is {}); start from the float model, or allow requantizing."),
                    model.files[0].name, tensor.name, wb::name(tensor.dtype));
    return fail(ErrorCode::Unsupported, Reason("quantize.source_type"), About{model.files[0].name},
                WB_TEXT("{} cannot be quantized, because {} has values of type {}; convert it with F32, F16 or BF16 there."),
                model.files[0].name, tensor.name, wb::name(tensor.dtype));
}

void noteChoice(const TensorInfo& tensor, const quant::TypeChoice& choice, bool hasWeights, QuantizePlan& plan) {
    if (choice.insteadOf)
        plan.problems.push_back(makeProblem(Severity::Warning, "quantize.fallback", "", {},
                                            WB_TEXT("{} uses {} instead of {}, whose block size does not divide the row size {}."),
                                            tensor.name, wb::name(choice.type), wb::name(*choice.insteadOf),
                                            tensor.shape.rowLength()));
    const bool hasNoForm = quant::weightUse(choice.type) == quant::WeightUse::Required && !choice.kept;
    if ((choice.needsMatrix || hasNoForm) && !hasWeights && tensor.dtype != choice.type)
        plan.problems.push_back(
            makeProblem(Severity::Error, "quantize.needs_matrix", "", {},
                        WB_TEXT("{} cannot be quantized to {} without importance data; provide an importance matrix."), tensor.name,
                        wb::name(choice.type)));
}

Result<PlannedTensor> planTensor(std::size_t index, const std::string& measured, const quant::TypeChoice& choice,
                                 const QuantizeRequest& request, QuantizePlan& plan) {
    const Model& model = *plan.model;
    const TensorInfo& tensor = model.tensors[index];
    WB_TRY(checkSource(model, tensor, choice.type, request.allowRequantize));
    PlannedTensor planned{index, tensor.dtype, choice.type, 0, 0, 0, choice.kept, {}};
    if (plan.matrix && !choice.kept && !planned.copied()) {
        WB_TRY_ASSIGN(planned.weights, weightsFor(measured, tensor, plan));
    } else if (plan.matrix && !choice.kept) {
        planned.weights = fittingWeights(measured, tensor, *plan.matrix); // a copy is not asked whether they fit
    }
    noteChoice(tensor, choice, !planned.weights.empty(), plan);
    planned.bytes = rowBytes(choice.type, tensor.shape.elements()).value_or(0);
    return planned;
}

// The reference takes a matrix of which a filter leaves nothing for none.
void dropEmptyMatrix(QuantizeRequest& request, QuantizePlan& plan) {
    if (!request.matrix || !request.matrix->entries.empty()) return;
    plan.problems.push_back(
        makeProblem(Severity::Warning, "quantize.matrix_empty", "", {},
                    WB_TEXT("No data of the importance matrix {} passes the filter; the model is quantized without it."),
                    request.matrix->file));
    request.matrix.reset();
}

// The reference refuses another type whatever the model is to become.
Result<void> checkType(const Model& model, const char* key, ValueType type) {
    const Value* const value = model.metadata.find(key);
    if (!value || value->type == type) return {};
    return fail(ErrorCode::Malformed, Reason("quantize.key_type"), About{model.files[0].name},
                WB_TEXT("{} stores {} as {} instead of {}; convert the model again."), model.files[0].name, key,
                valueTypeName(value->type), valueTypeName(type));
}

// A file without tensors, of a vocabulary alone, becomes one with the new pairs.
Result<void> checkModel(const Model& model) {
    if (model.format != FormatId::Gguf)
        return fail(ErrorCode::Unsupported, Reason("quantize.not_gguf"), About{io::baseName(model.path)},
                    WB_TEXT("{} is not a GGUF file; only GGUF files can be quantized."), io::baseName(model.path));
    WB_TRY(checkType(model, "general.architecture", ValueType::String));
    WB_TRY(checkType(model, "general.name", ValueType::String));
    WB_TRY(checkType(model, "general.file_type", ValueType::U32));
    WB_TRY(checkType(model, "split.count", ValueType::U16));
    const Value* const type = model.metadata.find("general.type");
    if (type && type->string() && *type->string() == "imatrix")
        return fail(ErrorCode::Unsupported, Reason("quantize.is_matrix"), About{model.files[0].name},
                    WB_TEXT("{} is an importance matrix, not a model; choose the model it was made for."), model.files[0].name);
    if (model.tensors.empty() && !model.architecture)
        return fail(ErrorCode::Unsupported, Reason("quantize.no_tensors"), About{model.files[0].name},
                    WB_TEXT("{} contains no tensors to quantize."), model.files[0].name);
    return {};
}

// The file is not to be blamed for numbers that it was given here.
Result<void> checkOverrides(const Model& before, const Model& after, const QuantizeRequest& request) {
    if (request.overrides.empty() || quant::chooseTypes(after, {}, request.mix) || !quant::chooseTypes(before, {}, request.mix))
        return {};
    std::vector<std::string> texts;
    for (const KeyOverride& override : request.overrides) texts.push_back(overrideText(override));
    return fail(ErrorCode::Invalid, Reason("quantize.override_refused"), About{before.files[0].name},
                WB_TEXT("No loader accepts {} with the requested {}; set another value."), before.files[0].name,
                fmt::format("{}", fmt::join(texts, ", ")));
}

// What is requested beyond types; a saved plan may come from another user.
void noteOverrides(std::span<const KeyOverride> overrides, QuantizePlan& plan) {
    for (const KeyOverride& override : lastOfEach(overrides))
        plan.problems.push_back(makeProblem(Severity::Note, "quantize.override", "", {},
                                            WB_TEXT("The new file contains {}, as requested."),
                                            toUtf8(overrideText(asWritten(override)))));
}

void notePruned(const std::set<std::uint32_t>& asked, const std::set<std::uint32_t>& leftOut, QuantizePlan& plan) {
    const auto note = [&](Severity severity, Reason code, const char* sentence, const auto& layers) {
        if (!layers.empty())
            plan.problems.push_back(makeProblem(severity, code, "", {}, sentence, plan.whole->files[0].name,
                                                fmt::format("{}", fmt::join(layers, ", "))));
    };
    std::vector<std::uint32_t> absent;
    std::ranges::set_difference(asked, leftOut, std::back_inserter(absent));
    note(Severity::Note, "quantize.pruned", WB_TEXT("Layers removed from {}, as requested: {}."), leftOut);
    note(Severity::Warning, "quantize.not_pruned", WB_TEXT("{} does not have these layers to prune: {}."), absent);
}

// With its files kept apart the model is walked file by file, each in the order of its data.
std::vector<std::size_t> modelOrder(const Model& model, bool keepSplit) {
    std::vector<std::size_t> order = quant::quantizationOrder(model);
    if (!keepSplit) return order;
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return std::pair(model.tensors[i].file(), model.tensors[i].offset()); });
    return order;
}

// Puts the types that were chosen one by one in the place of the mix'.
Result<void> applyTypes(const Model& model, std::span<const std::size_t> order, const std::map<std::string, Dtype>& types,
                        std::vector<quant::TypeChoice>& choices) {
    std::set<std::string_view> names;
    for (const std::size_t at : order) names.insert(model.tensors[at].name);
    for (const auto& [name, type] : types)
        if (!names.contains(name))
            return fail(ErrorCode::Invalid, Reason("quantize.no_tensor"), About{model.files[0].name},
                        WB_TEXT("{} has no tensor {}, for which the plan sets a type; create a new plan."), model.files[0].name,
                        name);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const TensorInfo& tensor = model.tensors[order[i]];
        const auto own = types.find(tensor.name);
        if (own == types.end() || own->second == choices[i].type) continue;
        if (!quant::canQuantize(own->second))
            return fail(ErrorCode::Invalid, Reason("quantize.no_target_type"), About{tensor.name},
                        WB_TEXT("{} cannot be quantized to {}, which is not a target type."), tensor.name, wb::name(own->second));
        if (choices[i].kept)
            return fail(ErrorCode::Invalid, Reason("quantize.never_quantized"), About{tensor.name},
                        WB_TEXT("{} is never quantized and cannot be changed to {}."), tensor.name, wb::name(own->second));
        if (tensor.shape.rowLength() % wb::info(own->second).blockElements != 0)
            return fail(ErrorCode::Invalid, Reason("quantize.blocks"), About{tensor.name},
                        WB_TEXT("{} cannot be quantized to {}: its block size does not divide the row size {}."), tensor.name,
                        wb::name(own->second), tensor.shape.rowLength());
        choices[i] = {own->second, false, {}, false};
    }
    return {};
}

// The remaining model, and the order its tensors are written in.
struct Source {
    ModelPtr whole; // with the overrides, before layers were omitted
    ModelPtr model;
    std::vector<std::size_t> order;
    std::map<std::string, std::string> formerNames; // empty where nothing was omitted
    std::uint32_t layers = 0;
    std::set<std::uint32_t> leftOut;

    const std::string& measuredName(const std::string& name) const {
        const auto former = formerNames.find(name);
        return former == formerNames.end() ? name : former->second;
    }
};

Result<Source> wholeSource(const ModelPtr& whole, const QuantizeRequest& request) {
    if (request.prune.empty()) return Source{whole, whole, modelOrder(*whole, request.keepSplit), {}, 0, {}};
    WB_TRY_ASSIGN(PrunedModel pruned, pruneLayers(*whole, quant::quantizationOrder(*whole), request.prune));
    Source source{whole, pruned.model, {}, std::move(pruned.formerNames), pruned.layers, std::move(pruned.leftOut)};
    source.order.resize(pruned.model->tensors.size());
    std::iota(source.order.begin(), source.order.end(), std::size_t{0});
    if (request.keepSplit) source.order = modelOrder(*pruned.model, true);
    return source;
}

Result<void> planTensors(const Source& source, const QuantizeRequest& request, QuantizePlan& plan) {
    const Model& model = *source.model;
    WB_TRY_ASSIGN(auto choices, quant::chooseTypes(model, source.order, request.mix));
    WB_TRY(applyTypes(model, source.order, request.types, choices));
    plan.files.resize(1);
    for (std::size_t i = 0; i < source.order.size(); ++i) {
        const std::size_t index = source.order[i];
        WB_TRY_ASSIGN(PlannedTensor tensor,
                      planTensor(index, source.measuredName(model.tensors[index].storedName()), choices[i], request, plan));
        if (request.keepSplit && model.tensors[index].file() != noFile) tensor.file = model.tensors[index].file();
        plan.files.resize(std::max<std::size_t>(plan.files.size(), tensor.file + 1));
        plan.tensors.push_back(tensor);
    }
    if (plan.matrix) noteMissingWeights(plan);
    WB_TRY_ASSIGN(const auto unmatched, quant::unmatchedPatterns(model, request.mix.rules));
    for (const std::string& pattern : unmatched)
        plan.problems.push_back(makeProblem(Severity::Warning, "quantize.rule_unmatched", "", {},
                                            WB_TEXT("The rule \"{}\" matches no tensor of {}; check its spelling."),
                                            toUtf8(pattern), plan.whole->files[0].name));
    return {};
}

// The plan without its files, for which `source` is filled. `request` becomes the final request: without a matrix of which nothing
// is left.
Result<QuantizePlan> planWithoutFiles(ModelPtr model, QuantizeRequest& request, Source& source) {
    QuantizePlan plan;
    const ModelPtr overridden = withOverrides(model, request.overrides);
    WB_TRY(checkModel(*overridden));
    WB_TRY(checkOverrides(*model, *overridden, request));
    plan.whole = std::move(model);
    plan.fileType = request.mix.fileType;
    plan.copy = request.mix.copy;
    plan.keepSplit = request.keepSplit || !request.split.isNone();
    dropEmptyMatrix(request, plan);
    plan.matrix = request.matrix;
    request.mix.hasMatrix = request.matrix != nullptr;
    noteOverrides(request.overrides, plan);
    WB_TRY_ASSIGN(source, wholeSource(overridden, request));
    notePruned(request.prune, source.leftOut, plan);
    plan.model = source.model;
    WB_TRY(planTensors(source, request, plan));
    return plan;
}

} // namespace

std::uint64_t QuantizePlan::fileBytes() const {
    std::uint64_t sum = 0;
    for (const PlannedFile& file : files) sum += file.bytes;
    return sum;
}

std::uint64_t QuantizePlan::parameters() const {
    std::uint64_t sum = 0;
    for (const PlannedTensor& tensor : tensors) sum += model->tensors[tensor.source].shape.elements();
    return sum;
}

double QuantizePlan::bitsPerWeight() const {
    std::uint64_t bytes = 0;
    for (const PlannedTensor& tensor : tensors) bytes += tensor.bytes;
    return parameters() == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(parameters());
}

bool QuantizePlan::canExecute() const {
    return std::ranges::none_of(problems, [](const Problem& problem) { return problem.severity == Severity::Error; });
}

std::optional<quant::FileType> onlyFloatType(const QuantizeRequest& request) {
    const quant::MixOptions& mix = request.mix;
    const bool isFloat =
        mix.fileType == quant::FileType::F32 || mix.fileType == quant::FileType::F16 || mix.fileType == quant::FileType::BF16;
    const bool hasOwn = mix.copy || mix.outputType || mix.tokenEmbeddingType || mix.leaveOutput || !mix.rules.empty() ||
                        !request.types.empty() || !request.overrides.empty() || !request.prune.empty() || request.matrix ||
                        !request.split.isNone();
    return isFloat && !hasOwn ? std::optional(mix.fileType) : std::nullopt;
}

Result<QuantizePlan> planTypes(ModelPtr model, QuantizeRequest request) {
    if (request.copies != CopyMode::None) return planCopy(std::move(model), request);
    Source source;
    return planWithoutFiles(std::move(model), request, source);
}

Result<QuantizePlan> planQuantize(ModelPtr model, QuantizeRequest request) {
    if (request.copies != CopyMode::None) return planCopy(std::move(model), request);
    Source source;
    WB_TRY_ASSIGN(QuantizePlan plan, planWithoutFiles(std::move(model), request, source));
    WB_TRY_ASSIGN(auto pairs, newPairs(*source.whole, request, plan));
    if (!request.prune.empty())
        gguf::setPair(pairs, gguf::makePair(plan.model->architecture.value_or("") + ".block_count", source.layers));
    const bool divides = !request.split.isNone();
    if (divides) WB_TRY(divideTensors(request.split, plan));
    const SplitKeys keys = divides ? SplitKeys::Split : plan.files.size() > 1 ? SplitKeys::Quantize : SplitKeys::None;
    WB_TRY(layOutFiles(*plan.model, std::move(pairs), keys, plan));
    return plan;
}

} // namespace wb::quantize

// SPDX-License-Identifier: MIT
#include "core/convert/quantize_plan.h"

#include "core/quant/quantize.h"
#include "core/quant/tensor_category.h"

#include <algorithm>

namespace wb::convert {
namespace {

constexpr std::uint32_t quantizationVersion = 2;
constexpr std::size_t longestOverride = 127; // the reference cuts the texts it adds here

// A copy keeps what the source says of itself.
std::uint32_t fileTypeValue(const Model& model, const quant::MixOptions& mix) {
    const Value* const own = model.metadata.find("general.file_type");
    if (mix.copy && own) return static_cast<std::uint32_t>(own->unsignedNumber().value_or(0));
    return quant::info(mix.fileType).value;
}

Result<std::vector<gguf::StoredPair>> newPairs(const Model& model, const QuantizeRequest& request) {
    WB_TRY_ASSIGN(const auto source, openFile(model, 0));
    WB_TRY_ASSIGN(auto pairs, gguf::readStoredPairs(*source));
    gguf::setPair(pairs, gguf::makePair("general.quantization_version", quantizationVersion));
    gguf::setPair(pairs, gguf::makePair("general.file_type", fileTypeValue(model, request.mix)));
    for (const char* key : {"split.no", "split.count", "split.tensors.count"}) gguf::removePair(pairs, key);
    if (!request.matrix) return pairs;
    const auto text = [&](const char* key, const std::string& value) {
        gguf::setPair(pairs, gguf::makePair(key, std::string_view(value).substr(0, longestOverride)));
    };
    const auto number = [&](const char* key, std::uint64_t value) {
        if (value > 0) gguf::setPair(pairs, gguf::makePair(key, static_cast<std::uint32_t>(value)));
    };
    text("quantize.imatrix.file", request.matrix->file);
    if (!request.matrix->datasets.empty()) text("quantize.imatrix.dataset", request.matrix->datasets[0]);
    number("quantize.imatrix.entries_count", request.matrix->entries.size());
    number("quantize.imatrix.chunks_count", request.matrix->chunks);
    return pairs;
}

// The matrix' columns for a tensor: one value a column of every matrix of a stack. A wrong length is an error but for the token
// embeddings, whose entry the reference ignores.
Result<std::span<const float>> weightsFor(const quant::Imatrix& matrix, const TensorInfo& tensor, QuantizePlan& plan) {
    const auto values = matrix.find(tensor.name);
    const Shape& shape = tensor.shape;
    const std::uint64_t matrices = shape.rank() > 2 ? shape[shape.rank() - 3] : 1;
    if (values.empty() || values.size() == shape.rowLength() * matrices) return values;
    if (quant::categoryOf(tensor.name) != quant::Category::TokenEmbedding)
        return fail(ErrorCode::Malformed, WB_TEXT("The importance matrix {} has {} values for {}, which needs {}; it was made for another "
                                                  "model."),
                    matrix.file, values.size(), tensor.name, shape.rowLength() * matrices);
    plan.problems.push_back(makeProblem(Severity::Note, "quantize.matrix_ignored", "", {},
                                        WB_TEXT("The importance matrix does not fit {} and is not used for it."), tensor.name));
    return std::span<const float>();
}

Result<void> checkSource(const Model& model, const TensorInfo& tensor, Dtype to, bool allowRequantize) {
    if (!tensor.unavailable.empty() || tensor.dtype == Dtype::Unknown)
        return fail(ErrorCode::Unsupported, WB_TEXT("{} cannot be quantized, because the values of {} cannot be read."),
                    model.files[0].name, tensor.name);
    const DtypeKind kind = wb::info(tensor.dtype).kind;
    if (tensor.dtype == to || tensor.dtype == Dtype::F32 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::BF16) return {};
    if (kind == DtypeKind::Block && allowRequantize) return {};
    if (kind == DtypeKind::Block)
        return fail(ErrorCode::Invalid, WB_TEXT("{} is quantized already ({} is {}); start from the float model, or allow requantizing "
                                                "with --allow-requantize."),
                    model.files[0].name, tensor.name, wb::name(tensor.dtype));
    return fail(ErrorCode::Unsupported, WB_TEXT("{} cannot be quantized, because {} holds values of type {}."), model.files[0].name,
                tensor.name, wb::name(tensor.dtype));
}

void noteChoice(const TensorInfo& tensor, const quant::TypeChoice& choice, bool hasWeights, QuantizePlan& plan) {
    if (choice.insteadOf)
        plan.problems.push_back(makeProblem(Severity::Warning, "quantize.fallback", "", {},
                                            WB_TEXT("{} becomes {} instead of {}, whose blocks do not divide its rows of {} elements."),
                                            tensor.name, wb::name(choice.type), wb::name(*choice.insteadOf), tensor.shape.rowLength()));
    const bool hasNoForm = quant::weightUse(choice.type) == quant::WeightUse::Required && !choice.kept;
    if ((choice.needsMatrix || hasNoForm) && !hasWeights && tensor.dtype != choice.type)
        plan.problems.push_back(makeProblem(Severity::Error, "quantize.needs_matrix", "", {},
                                            WB_TEXT("{} cannot become {} without importance data for it; give an importance matrix."),
                                            tensor.name, wb::name(choice.type)));
}

Result<PlannedTensor> planTensor(const Model& model, std::size_t index, const quant::TypeChoice& choice, const QuantizeRequest& request,
                                 QuantizePlan& plan) {
    const TensorInfo& tensor = model.tensors[index];
    WB_TRY(checkSource(model, tensor, choice.type, request.allowRequantize));
    PlannedTensor planned{index, tensor.dtype, choice.type, 0, 0, {}};
    if (plan.matrix && !choice.kept) {
        WB_TRY_ASSIGN(planned.weights, weightsFor(*plan.matrix, tensor, plan));
    }
    noteChoice(tensor, choice, !planned.weights.empty(), plan);
    planned.bytes = rowBytes(choice.type, tensor.shape.elements()).value_or(0);
    return planned;
}

Result<void> checkModel(const Model& model) {
    if (model.format != "gguf")
        return fail(ErrorCode::Unsupported, WB_TEXT("{} is not a GGUF file; only GGUF can be quantized so far."),
                    io::pathText(model.path.filename()));
    if (model.tensors.empty())
        return fail(ErrorCode::Unsupported, WB_TEXT("{} holds no tensors, so there is nothing to quantize."), model.files[0].name);
    return {};
}

Result<void> layOut(const Model& model, const QuantizeRequest& request, QuantizePlan& plan) {
    WB_TRY_ASSIGN(const auto pairs, newPairs(model, request));
    std::vector<gguf::WrittenTensor> written;
    for (const PlannedTensor& tensor : plan.tensors)
        written.push_back({model.tensors[tensor.source].name, model.tensors[tensor.source].shape, tensor.to});
    WB_TRY_ASSIGN(gguf::Layout layout, gguf::layOut(pairs, written));
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) plan.tensors[i].offset = layout.offsets[i];
    plan.header = std::move(layout.header);
    plan.fileBytes = layout.fileBytes;
    return {};
}

} // namespace

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

Result<QuantizePlan> planQuantize(ModelPtr model, QuantizeRequest request) {
    WB_TRY(checkModel(*model));
    QuantizePlan plan;
    plan.model = model;
    plan.fileType = request.mix.fileType;
    plan.copy = request.mix.copy;
    if (request.matrix) plan.matrix = std::make_shared<const quant::Imatrix>(*request.matrix);
    request.mix.hasMatrix = request.matrix.has_value();
    const auto order = quant::quantizationOrder(*model);
    WB_TRY_ASSIGN(const auto choices, quant::chooseTypes(*model, order, request.mix));
    for (std::size_t i = 0; i < order.size(); ++i) {
        WB_TRY_ASSIGN(PlannedTensor tensor, planTensor(*model, order[i], choices[i], request, plan));
        plan.tensors.push_back(tensor);
    }
    WB_TRY(layOut(*model, request, plan));
    return plan;
}

} // namespace wb::convert

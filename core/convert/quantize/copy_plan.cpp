// SPDX-License-Identifier: MIT
#include "core/convert/quantize/copy_plan.h"

#include "core/convert/quantize/file_layout.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <numeric>

namespace wb::quantize {
namespace {

// By files, in each by place.
std::vector<std::size_t> storedOrder(const Model& model) {
    std::vector<std::size_t> order(model.tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&model](std::size_t i) { return std::pair(model.tensors[i].file(), model.tensors[i].offset().value_or(0)); });
    return order;
}

Result<void> checkModel(const Model& model, CopyMode mode) {
    const std::string name = io::baseName(model.path);
    if (model.format != FormatId::Gguf)
        return fail(ErrorCode::Unsupported, Reason("split.not_gguf"), About{name},
                    WB_TEXT("{} is not a GGUF file; only GGUF files can be split or joined."), name);
    const Value* const count = model.metadata.find(splitCountKey);
    if (mode == CopyMode::Join && (!count || count->unsignedNumber().value_or(0) == 0))
        return fail(ErrorCode::Invalid, Reason("split.not_split"), About{name},
                    WB_TEXT("{} is not a split file, so there is nothing to join."), name);
    return {};
}

std::uint64_t alignmentOf(const Model& model) {
    const Value* const own = model.metadata.find("general.alignment");
    const std::uint64_t alignment = own ? own->unsignedNumber().value_or(0) : 0;
    return alignment > 0 ? alignment : gguf::writtenAlignment;
}

// A saved plan that has been edited may name other types.
Result<void> checkTypes(const Model& model, const QuantizeRequest& request, std::span<const PlannedTensor> tensors) {
    std::size_t equal = 0;
    for (const PlannedTensor& tensor : tensors) {
        const auto own = request.types.find(model.tensors[tensor.source].name);
        if (own != request.types.end() && own->second == tensor.to) ++equal;
    }
    if (equal == request.types.size()) return {};
    return fail(ErrorCode::Invalid, Reason("split.types"), About{model.files[0].name},
                WB_TEXT("The plan for {} changes tensor types, but copying keeps them; create a new plan."), model.files[0].name);
}

Result<PlannedTensor> planTensor(const Model& model, std::size_t index) {
    const TensorInfo& tensor = model.tensors[index];
    if (!tensor.isReadable())
        return fail(ErrorCode::Malformed, Reason("split.no_values"), About{model.files[0].name},
                    WB_TEXT("{} cannot be copied, because the values of {} cannot be read."), model.files[0].name, tensor.name);
    PlannedTensor planned;
    planned.source = index;
    planned.from = planned.to = tensor.dtype;
    planned.bytes = tensor.bytes();
    return planned;
}

} // namespace

Result<QuantizePlan> planCopy(ModelPtr model, const QuantizeRequest& request) {
    WB_TRY(checkModel(*model, request.copies));
    QuantizePlan plan;
    plan.model = plan.whole = model;
    plan.copy = plan.keepsBytes = true;
    plan.keepSplit = !request.split.isNone();
    plan.alignment = alignmentOf(*model);
    for (const std::size_t i : storedOrder(*model)) {
        if (model->tensors[i].logical) continue;
        WB_TRY_ASSIGN(const PlannedTensor planned, planTensor(*model, i));
        plan.tensors.push_back(planned);
    }
    WB_TRY(checkTypes(*model, request, plan.tensors));
    WB_TRY_ASSIGN(const auto source, openFile(*model, 0));
    WB_TRY_ASSIGN(auto pairs, gguf::readStoredPairs(*source));
    if (request.copies == CopyMode::Join) gguf::setPair(pairs, gguf::makePair(splitCountKey, std::uint16_t{0}));
    else removeSplitPairs(pairs);
    WB_TRY(divideTensors(request.split, plan));
    WB_TRY(layOutFiles(*model, std::move(pairs), plan.keepSplit ? SplitKeys::Split : SplitKeys::None, plan));
    return plan;
}

} // namespace wb::quantize

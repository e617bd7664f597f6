// SPDX-License-Identifier: MIT
#include "gpu/infer/kernels.h"
#include "gpu/shaders/infer_multiply_codes.spv.h"
#include "gpu/shaders/infer_multiply_codes_followed.spv.h"
#include "gpu/shaders/infer_multiply_fast.spv.h"
#include "gpu/shaders/infer_multiply_fast_followed.spv.h"
#include "gpu/shaders/infer_multiply_floats.spv.h"
#include "gpu/shaders/infer_multiply_floats_followed.spv.h"
#include "gpu/shaders/infer_multiply_packed.spv.h"
#include "gpu/shaders/infer_multiply_packed_followed.spv.h"

#include <algorithm>

// Products, and the small steps that follow them.
namespace wb::gpu {
namespace {

constexpr std::uint32_t productBuffers = 7, followedBuffers = 8; // of multiply.glsl, and of follow_up.glsl

struct ProductPush {
    std::uint32_t rows, columns, firstRow, stride, biasAt;
    float scale, cap;
    std::uint32_t firstExpert, experts, used, factorStride, factorAt, outAt, factorOf, tokenStride;
};

struct FollowedPush {
    ProductPush product;
    std::uint32_t unit, unitGroups;
    float epsilon;
    std::uint32_t pairs, context;
    float addedEpsilon, addedScale;
};

// The shader of a product, and the rows of a workgroup.
struct MultiplyForm {
    KernelCode code;
    std::uint32_t rowsOfGroup = 0;
};

// Software devices run through all code of a shader with idle invocations where others would jump: there a workgroup with a
// follow-up has more rows.
std::uint32_t followedRows(const Device& device, std::uint32_t unit, std::uint32_t matrixRows, std::uint32_t rows) {
    constexpr std::uint32_t most = 64;
    while (device.info().software() && rows < most && (unit == matrixRows || unit % (2 * rows) == 0)) rows *= 2;
    return rows;
}

MultiplyForm multiplyForm(const Device& device, const StepSizes& sizes, const MultiplyStep& step) {
    const std::uint32_t subgroup = device.info().subgroup;
    const WeightLayout& layout = *step.matrix->layout;
    const FastTypes::Type* const type = step.fast ? step.fast->find(layout.dtype) : nullptr;
    const bool isFast = type && (sizes.tokens == 1 || type->batches) && subgroup > 0,
               isPacked = isFast && type->form == FastForm::Packed;
    const bool isFollowed = step.paired || step.then;
    std::uint32_t rows = isFast ? std::max(WB_LANES / subgroup, 1u) * WB_FAST_ROWS : WB_ROWS_AT_ONCE;
    if (isFollowed) {
        const auto all = static_cast<std::uint32_t>(step.matrix->rows);
        rows = followedRows(device, step.then ? step.then->unit : all, all, rows);
        if (isPacked) return {{"infer_multiply_packed_followed", shaders::infer_multiply_packed_followed}, rows};
        if (isFast) return {{"infer_multiply_fast_followed", shaders::infer_multiply_fast_followed}, rows};
        if (layout.isCodes) return {{"infer_multiply_codes_followed", shaders::infer_multiply_codes_followed}, rows};
        return {{"infer_multiply_floats_followed", shaders::infer_multiply_floats_followed}, rows};
    }
    if (isPacked) return {{"infer_multiply_packed", shaders::infer_multiply_packed}, rows};
    if (isFast) return {{"infer_multiply_fast", shaders::infer_multiply_fast}, rows};
    if (layout.isCodes) return {{"infer_multiply_codes", shaders::infer_multiply_codes}, rows};
    return {{"infer_multiply_floats", shaders::infer_multiply_floats}, rows};
}

// The constants of follow_up.glsl, from number 9 on.
void addConstants(const MultiplyStep& step, std::vector<std::uint32_t>& constants) {
    const FollowUp none, &then = step.then ? *step.then : none;
    const bool stores = then.head && then.head->stores;
    const std::uint32_t kind = !step.then ? WB_FOLLOW_NONE : then.head ? WB_FOLLOW_HEAD : WB_FOLLOW_INPUT;
    const infer::NormKind norm = then.added ? then.added->norm.kind : then.norm.kind;
    const auto cache = then.head ? then.head->cacheType() : infer::CacheType::F32;
    for (const std::uint32_t constant :
         {std::uint32_t{step.paired}, kind, specializationConstant(norm), std::uint32_t{then.norm.weight != nullptr},
          std::uint32_t{then.norm.bias != nullptr}, std::uint32_t{then.floats}, std::uint32_t{then.codes}, std::uint32_t{stores},
          std::uint32_t{then.head && then.head->halves}, specializationConstant(cache), std::uint32_t{then.added != nullptr}})
        constants.push_back(constant);
}

FollowedPush followedPush(const ProductPush& push, const FollowUp* then, std::uint32_t rowsOfGroup) {
    if (!then) return {push, 0, 0, 0, 0, 0, 0, 0};
    return {push,
            then->unit,
            groupsFor(then->unit, rowsOfGroup),
            then->norm.epsilon,
            then->head ? then->head->pairs : 0,
            then->head ? then->head->context : 0,
            then->added ? then->added->norm.epsilon : 0,
            then->added ? then->added->scale : 0};
}

// The bindings of follow_up.glsl.
void addBindings(const StepSizes& sizes, const FollowUp* then, std::vector<Binding>& bindings) {
    const Binding unused = reads(sizes.batch);
    if (!then) {
        bindings.insert(bindings.end(), followedBuffers, unused);
        return;
    }
    bindings.push_back(reads(viewOr(then->norm.weight, sizes.batch)));
    bindings.push_back(updates(then->counters));
    bindings.push_back(then->head ? writes(then->rotated) : then->codes ? writes(then->to.codes) : unused);
    bindings.push_back(then->floats ? writes(then->to.floats) : unused);
    bindings.push_back(reads(viewOr(then->norm.bias, sizes.batch)));
    bindings.push_back(then->head ? reads(then->head->angles) : unused);
    bindings.push_back(then->added ? updates(*then->added->x) : unused);
    bindings.push_back(then->added ? reads(*then->added->norm.weight) : unused);
}

} // namespace

bool canFollow(const Device& device, const StepSizes& sizes, const MultiplyStep& step) {
    const DeviceMatrix& matrix = *step.matrix;
    const bool isOne = sizes.tokens == 1 && !sizes.ofOutputs && step.experts.inputs == WB_EXPERTS_NONE &&
                       matrix.parts.size() == 1 && step.outStride == 0 && step.outFirst == 0;
    if (!isOne || !step.then) return isOne;
    const FollowUp& then = *step.then;
    const std::uint32_t rowsOfGroup = multiplyForm(device, sizes, step).rowsOfGroup;
    if (then.unit != matrix.rows && (matrix.rows % then.unit != 0 || then.unit % rowsOfGroup != 0)) return false;
    if (matrix.rows / then.unit * sizeof(std::uint32_t) > then.counters.bytes) return false;
    if (then.added) {
        const DeviceNorm& norm = then.added->norm;
        const bool isAlike = then.norm.kind == infer::NormKind::None || then.norm.kind == norm.kind;
        if (!isAlike || !norm.weight || norm.bias || then.added->factors || then.unit != matrix.rows) return false;
    }
    if (!then.head) return !then.codes || then.unit % WB_RECORD_COLUMNS == 0;
    const RotateStep& head = *then.head;
    return !head.factors && head.begin == 0 && head.first == 0 && head.firstHead == 0 && head.to.stride == 0 &&
           head.length == then.unit && head.heads * head.length == matrix.rows;
}

Result<void> multiply(Device& device, Recorder& recorder, const StepSizes& sizes, const MultiplyStep& step, const Prepared& from,
                      const View& result) {
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    const DeviceMatrix& matrix = *step.matrix;
    const ExpertColumns& experts = step.experts;
    const bool isCodes = matrix.layout->isCodes, hasExperts = experts.inputs != WB_EXPERTS_NONE;
    const std::uint32_t atOnce = std::min<std::uint32_t>(sizes.tokens, WB_MAX_COLUMNS);
    const bool isFollowed = step.paired || step.then;
    MultiplyForm form = multiplyForm(device, sizes, step);
    form.code.buffers = productBuffers + (isFollowed ? followedBuffers : 0);
    form.code.pushBytes = isFollowed ? sizeof(FollowedPush) : sizeof(ProductPush);
    const auto activation = static_cast<std::uint32_t>(step.activation);
    form.code.constants = {matrix.layout->shaderType(),
                           atOnce,
                           step.epilogue,
                           sizes.ofOutputs,
                           fuses,
                           activation,
                           experts.inputs,
                           step.epilogue != WB_TIMES && step.factors != nullptr,
                           form.rowsOfGroup};
    if (isFollowed) addConstants(step, form.code.constants);
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel(form.code));
    const std::uint64_t batches = sizes.tokens / atOnce;
    const std::uint64_t groups = experts.inputs == WB_EXPERTS_ALL ? batches * experts.used
                                 : hasExperts                     ? scheduleGroups(sizes.tokens, matrix.experts, experts.used)
                                                                  : batches;
    const std::uint32_t stride = step.outStride > 0 ? step.outStride : static_cast<std::uint32_t>(matrix.rows);
    for (const MatrixPart& part : matrix.parts) {
        const ProductPush push{part.rows,
                               static_cast<std::uint32_t>(matrix.columns),
                               part.firstRow,
                               stride,
                               part.biasAt,
                               step.scale,
                               step.cap,
                               part.firstExpert,
                               part.experts,
                               experts.used,
                               step.factorStride,
                               step.factorAt,
                               step.outFirst,
                               step.factorOf,
                               step.tokenStride > 0 ? step.tokenStride : stride * experts.used};
        std::vector<Binding> bindings{reads(sizes.batch),
                                      reads(part.weights),
                                      reads(part.scales),
                                      reads(isCodes ? from.codes : from.floats),
                                      updates(result),
                                      reads(viewOr(step.factors, sizes.batch)),
                                      reads(experts.schedule.bytes > 0 ? experts.schedule : sizes.batch)};
        if (isFollowed) addBindings(sizes, step.then, bindings);
        const FollowedPush followed = followedPush(push, step.then, form.rowsOfGroup);
        const auto bytes = isFollowed ? std::as_bytes(std::span(&followed, 1)) : std::as_bytes(std::span(&push, 1));
        recorder.dispatch(kernel, bindings, bytes, {groupsFor(part.rows, form.rowsOfGroup), static_cast<std::uint32_t>(groups)});
    }
    return {};
}

} // namespace wb::gpu

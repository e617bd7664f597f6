// SPDX-License-Identifier: MIT
#include "gpu/infer/kernels.h"

#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_attend.spv.h"
#include "gpu/shaders/infer_blend.spv.h"
#include "gpu/shaders/infer_combine.spv.h"
#include "gpu/shaders/infer_norm.spv.h"
#include "gpu/shaders/infer_prepare.spv.h"
#include "gpu/shaders/infer_rotate.spv.h"
#include "gpu/shaders/infer_route.spv.h"
#include "gpu/shaders/infer_schedule.spv.h"

#include <algorithm>

namespace wb::gpu {
namespace {

// The numbers of batch.h are those of the enums.
static_assert(static_cast<int>(infer::NormKind::Rms) == WB_NORM_RMS && static_cast<int>(infer::NormKind::Layer) == WB_NORM_LAYER);
static_assert(static_cast<int>(infer::Activation::Silu) == WB_SILU &&
              static_cast<int>(infer::Activation::GeluTanh) == WB_GELU_TANH);
static_assert(static_cast<int>(infer::Activation::Relu) == WB_RELU &&
              static_cast<int>(infer::Activation::ReluSquared) == WB_RELU_SQUARED &&
              static_cast<int>(infer::Activation::ClampedSwiglu) == WB_CLAMPED_SWIGLU);
static_assert(static_cast<int>(arch::Gating::Softmax) == WB_GATING_SOFTMAX &&
              static_cast<int>(arch::Gating::Sigmoid) == WB_GATING_SIGMOID &&
              static_cast<int>(arch::Gating::SoftmaxOfChosen) == WB_GATING_SOFTMAX_OF_CHOSEN);

} // namespace

std::uint32_t specializationConstant(infer::CacheType type) {
    using enum infer::CacheType;
    return type == Q8_0 ? WB_CACHE_Q8_0 : type == F32 ? WB_CACHE_F32 : WB_CACHE_F16;
}

RowPlace resolvePlace(RowPlace place, std::uint32_t runs, std::uint32_t length) {
    if (place.runStride == 0) place.runStride = length;
    if (place.stride == 0) place.stride = runs * place.runStride;
    return place;
}

Result<void> prepare(Device& device, Recorder& recorder, const StepSizes& sizes, const PrepareStep& step, const Prepared& to) {
    struct Push {
        std::uint32_t columns, rowsOfToken;
        float epsilon;
        RowPlace place;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_prepare",
                                 shaders::infer_prepare,
                                 7,
                                 sizeof(Push),
                                 {specializationConstant(step.norm.kind), step.floats, step.codes, sizes.ofOutputs, fuses,
                                  step.norm.bias != nullptr, step.gates != nullptr, static_cast<std::uint32_t>(step.activation)}}));
    recorder.dispatch(
        kernel,
        {reads(sizes.batch), reads(step.rows), reads(viewOr(step.norm.weight, sizes.batch)),
         step.floats ? writes(to.floats) : reads(sizes.batch), step.codes ? writes(to.codes) : reads(sizes.batch),
         reads(viewOr(step.norm.bias, sizes.batch)), reads(viewOr(step.gates, sizes.batch))},
        Push{step.columns, step.rowsOfToken, step.norm.epsilon, resolvePlace(step.place, step.rowsOfToken, step.columns)},
        {sizes.tokens * step.rowsOfToken});
    return {};
}

Result<void> normRows(Device& device, Recorder& recorder, const StepSizes& sizes, const NormStep& step) {
    struct Push {
        std::uint32_t count;
        float epsilon, scale;
        RowPlace place;
        std::uint32_t toStride;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    const DeviceNorm& norm = step.norm;
    const std::uint32_t result = step.to ? WB_WRITTEN : step.x ? WB_ADDED : WB_IN_PLACE;
    const View* const to = step.to ? step.to : step.x;
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_norm",
                                 shaders::infer_norm,
                                 6,
                                 sizeof(Push),
                                 {specializationConstant(norm.kind), norm.weight != nullptr, norm.bias != nullptr, result,
                                  step.factors != nullptr, fuses, step.ownWeights}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), to ? reads(step.rows) : updates(step.rows), reads(viewOr(norm.weight, sizes.batch)),
                       reads(viewOr(norm.bias, sizes.batch)), reads(viewOr(step.factors, sizes.batch)),
                       step.to  ? writes(*step.to)
                       : step.x ? updates(*step.x)
                                : reads(sizes.batch)},
                      Push{step.count, norm.epsilon, step.to ? 1 : step.scale, resolvePlace(step.place, step.runs, step.count),
                           step.toStride > 0 ? step.toStride : step.runs * step.count},
                      {step.runs, sizes.tokens});
    return {};
}

std::uint64_t scheduleGroups(std::uint64_t tokens, std::uint64_t experts, std::uint64_t used) {
    const std::uint64_t pairs = tokens * used;
    return tokens == 1 ? pairs : std::min(pairs, experts + pairs / WB_MAX_COLUMNS);
}

std::uint64_t scheduleWords(std::uint64_t tokens, std::uint64_t experts, std::uint64_t used) {
    return 1 + scheduleGroups(tokens, experts, used) * (1 + WB_MAX_COLUMNS);
}

Result<void> route(Device& device, Recorder& recorder, const StepSizes& sizes, const RouteStep& step, const Routed& to) {
    struct Push {
        std::uint32_t experts, used, width;
        float scale;
        std::uint32_t groups, groupsUsed;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    const bool isSingle = sizes.tokens == 1;
    const auto gating = static_cast<std::uint32_t>(step.gating);
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_route",
                                 shaders::infer_route,
                                 10,
                                 sizeof(Push),
                                 {gating, step.normalizes, step.selectionBias != nullptr, step.gate != nullptr, isSingle, fuses,
                                  step.expertScale != nullptr, step.groupsUsed < step.groups}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), reads(step.logits), reads(viewOr(step.selectionBias, sizes.batch)),
                       reads(viewOr(step.gate, sizes.batch)), reads(step.gate ? step.rows : sizes.batch), writes(to.chosen),
                       writes(to.weights), writes(to.gates), writes(to.schedule), reads(viewOr(step.expertScale, sizes.batch))},
                      Push{step.experts, step.used, step.width, step.scale, step.groups, step.groupsUsed}, {sizes.tokens});
    if (isSingle) return {};
    struct SchedulePush {
        std::uint32_t experts, used;
    };
    WB_TRY_ASSIGN(const KernelPtr schedule, device.kernel({"infer_schedule", shaders::infer_schedule, 3, sizeof(SchedulePush)}));
    recorder.dispatch(schedule, {reads(sizes.batch), reads(to.chosen), updates(to.schedule)}, SchedulePush{step.experts, step.used},
                      {1});
    return {};
}

Result<void> combine(Device& device, Recorder& recorder, const StepSizes& sizes, const CombineStep& step, const View& x) {
    struct Push {
        std::uint32_t width, used;
        float scale;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_combine", shaders::infer_combine, 4, sizeof(Push), {fuses, step.weighted}}));
    recorder.dispatch(kernel, {reads(sizes.batch), reads(step.rows), reads(step.weights), updates(x)},
                      Push{step.width, step.used, step.scale}, {groupsFor(step.width, WB_LANES), sizes.tokens});
    return {};
}

Result<void> blend(Device& device, Recorder& recorder, const StepSizes& sizes, const BlendStep& step) {
    struct Push {
        std::uint32_t columns;
        float scale, factor;
        std::uint32_t otherStride, otherFirst;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(
        const KernelPtr kernel,
        device.kernel(
            {"infer_blend", shaders::infer_blend, 4, sizeof(Push), {step.other != nullptr, step.storedFactor != nullptr, fuses}}));
    recorder.dispatch(
        kernel,
        {reads(sizes.batch), updates(step.rows), reads(viewOr(step.other, sizes.batch)),
         reads(viewOr(step.storedFactor, sizes.batch))},
        Push{step.columns, step.scale, step.factor, step.otherStride > 0 ? step.otherStride : step.columns, step.otherFirst},
        {groupsFor(step.columns, WB_LANES), sizes.tokens});
    return {};
}

Result<void> rotate(Device& device, Recorder& recorder, const StepSizes& sizes, const RotateStep& step, const View& to) {
    struct Push {
        std::uint32_t heads, firstHead, stride, length, pairs, context, first, headStride, begin, toStride, toFirst, toHead;
    };
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_rotate",
                                 shaders::infer_rotate,
                                 5,
                                 sizeof(Push),
                                 {step.stores, step.halves, specializationConstant(step.cacheType()), step.factors != nullptr}}));
    const bool isCoded = step.stores && step.type == infer::CacheType::Q8_0;
    const std::uint32_t parts = isCoded ? groupsFor(step.length, WB_CACHE_GROUP) : step.length / 2;
    const RowPlace place = resolvePlace(step.to, step.heads, step.length);
    recorder.dispatch(
        kernel, {reads(sizes.batch), reads(step.rows), reads(step.angles), writes(to), reads(viewOr(step.factors, sizes.batch))},
        Push{step.heads, step.firstHead, step.stride, step.length, step.pairs, step.context, step.first,
             step.headStride > 0 ? step.headStride : step.length, step.begin, place.stride, place.first, place.runStride},
        {groupsFor(std::uint64_t{step.heads} * parts, WB_LANES), sizes.tokens});
    return {};
}

Result<void> attend(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step, const View& to) {
    struct Push {
        std::uint32_t heads, firstHead, firstToken, group, keyLength, valueLength, context, window;
        float scale, cap;
        std::uint32_t selectedStride;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_attend",
                                 shaders::infer_attend,
                                 10,
                                 sizeof(Push),
                                 {specializationConstant(step.keyType), specializationConstant(step.valueType), fuses, step.cap > 0,
                                  step.sinks != nullptr, step.chunked, step.selected != nullptr, step.codes != nullptr}}));
    const std::uint64_t ofToken = std::uint64_t{step.count} * step.context * sizeof(float);
    const auto atOnce = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(step.scores.bytes / ofToken, 1, sizes.tokens));
    for (std::uint32_t token = 0; token < sizes.tokens; token += atOnce)
        recorder.dispatch(kernel,
                          {reads(sizes.batch), reads(step.queries), reads(step.keys), reads(step.values), writes(to),
                           updates(step.scores), reads(viewOr(step.sinks, sizes.batch)), reads(viewOr(step.selected, sizes.batch)),
                           reads(viewOr(step.selectedCounts, sizes.batch)), step.codes ? writes(*step.codes) : reads(sizes.batch)},
                          Push{step.heads, step.firstHead, token, step.group, step.keyLength, step.valueLength, step.context,
                               step.window, step.scale, step.cap, step.selectedStride},
                          {step.count, std::min(atOnce, sizes.tokens - token)});
    return {};
}

} // namespace wb::gpu

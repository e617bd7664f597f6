// SPDX-License-Identifier: MIT
#include "gpu/infer/kernels.h"

#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_attend.spv.h"
#include "gpu/shaders/infer_multiply_codes.spv.h"
#include "gpu/shaders/infer_multiply_floats.spv.h"
#include "gpu/shaders/infer_prepare.spv.h"
#include "gpu/shaders/infer_rotate.spv.h"

#include <algorithm>

namespace wb::gpu {
namespace {

std::uint32_t constantOf(infer::CacheType type) {
    using enum infer::CacheType;
    return type == Q8_0 ? WB_CACHE_Q8_0 : type == F32 ? WB_CACHE_F32 : WB_CACHE_F16;
}

} // namespace

Result<void> prepare(Device& device, Recorder& recorder, const StepSizes& sizes, const PrepareStep& step, const Prepared& to) {
    struct Push {
        std::uint32_t columns;
        float epsilon;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel({"infer_prepare",
                                                         shaders::infer_prepare,
                                                         5,
                                                         sizeof(Push),
                                                         {step.norm != nullptr, step.floats, step.codes, sizes.ofOutputs, fuses}}));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), reads(step.rows), reads(step.norm ? *step.norm : step.rows),
                       step.floats ? writes(to.floats) : reads(to.floats), step.codes ? writes(to.codes) : reads(to.codes)},
                      Push{step.columns, step.epsilon}, {sizes.tokens});
    return {};
}

Result<void> multiply(Device& device, Recorder& recorder, const StepSizes& sizes, const MultiplyStep& step, const Prepared& from,
                      const View& result) {
    struct Push {
        std::uint32_t rows, columns, firstRow, stride, biasAt;
        float scale;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    const DeviceMatrix& matrix = *step.matrix;
    const bool isCodes = matrix.layout->isCodes;
    const std::uint32_t atOnce = std::min<std::uint32_t>(sizes.tokens, WB_MAX_COLUMNS);
    KernelCode code{isCodes ? "infer_multiply_codes" : "infer_multiply_floats",
                    isCodes ? std::span<const std::uint32_t>(shaders::infer_multiply_codes)
                            : std::span<const std::uint32_t>(shaders::infer_multiply_floats),
                    5,
                    sizeof(Push),
                    {static_cast<std::uint32_t>(matrix.layout->dtype), atOnce, step.epilogue, sizes.ofOutputs, fuses}};
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel(code));
    for (const MatrixPart& part : matrix.parts) {
        const Push push{part.rows,     static_cast<std::uint32_t>(matrix.columns),
                        part.firstRow, static_cast<std::uint32_t>(matrix.rows),
                        part.biasAt,   step.scale};
        recorder.dispatch(kernel,
                          {reads(sizes.batch), reads(part.weights), reads(part.scales), reads(isCodes ? from.codes : from.floats),
                           updates(result)},
                          push, {groupsFor(part.rows, WB_ROWS_AT_ONCE), sizes.tokens / atOnce});
    }
    return {};
}

Result<void> rotate(Device& device, Recorder& recorder, const StepSizes& sizes, const RotateStep& step, const View& to) {
    struct Push {
        std::uint32_t heads, firstHead, stride, length, pairs, context;
    };
    WB_TRY_ASSIGN(
        const KernelPtr kernel,
        device.kernel({"infer_rotate", shaders::infer_rotate, 4, sizeof(Push), {step.stores, step.halves, constantOf(step.type)}}));
    const bool isCoded = step.stores && step.type == infer::CacheType::Q8_0;
    const std::uint32_t parts = isCoded ? groupsFor(step.length, WB_CACHE_GROUP) : step.length / 2;
    recorder.dispatch(kernel, {reads(sizes.batch), reads(step.rows), reads(step.angles), writes(to)},
                      Push{step.heads, step.firstHead, step.stride, step.length, step.pairs, step.context},
                      {groupsFor(std::uint64_t{step.heads} * parts, WB_LANES), sizes.tokens});
    return {};
}

Result<void> attend(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step, const View& to) {
    struct Push {
        std::uint32_t heads, firstHead, firstToken, group, keyLength, valueLength, context, window;
        float scale;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel({"infer_attend",
                                                         shaders::infer_attend,
                                                         6,
                                                         sizeof(Push),
                                                         {constantOf(step.keyType), constantOf(step.valueType), fuses}}));
    const std::uint64_t ofToken = std::uint64_t{step.count} * step.context * sizeof(float);
    const auto atOnce = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(step.scores.bytes / ofToken, 1, sizes.tokens));
    for (std::uint32_t token = 0; token < sizes.tokens; token += atOnce)
        recorder.dispatch(
            kernel,
            {reads(sizes.batch), reads(step.queries), reads(step.keys), reads(step.values), writes(to), updates(step.scores)},
            Push{step.heads, step.firstHead, token, step.group, step.keyLength, step.valueLength, step.context, step.window,
                 step.scale},
            {step.count, std::min(atOnce, sizes.tokens - token)});
    return {};
}

} // namespace wb::gpu

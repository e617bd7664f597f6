// SPDX-License-Identifier: MIT
#include "gpu/infer/stream_kernels.h"

#include "gpu/shaders/infer/batch.h"
#include "gpu/shaders/infer_gate_ngrams.spv.h"
#include "gpu/shaders/infer_index_means.spv.h"
#include "gpu/shaders/infer_index_scores.spv.h"
#include "gpu/shaders/infer_index_select.spv.h"
#include "gpu/shaders/infer_inject.spv.h"
#include "gpu/shaders/infer_mix_streams.spv.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu {

Result<void> mixStreams(Device& device, Recorder& recorder, const StepSizes& sizes, const MixStreamsStep& step, const View& x) {
    struct Push {
        std::uint32_t width, streams, stride;
        float share;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_mix_streams", shaders::infer_mix_streams, 4, sizeof(Push), {fuses}}));
    recorder.dispatch(kernel, {reads(sizes.batch), reads(step.rows), reads(step.gates), writes(x)},
                      Push{step.width, step.streams, step.stride, 1.0F / static_cast<float>(step.streams)},
                      {groupsFor(step.width, WB_LANES), sizes.tokens});
    return {};
}

Result<void> inject(Device& device, Recorder& recorder, const StepSizes& sizes, const InjectStep& step, const View& streams) {
    struct Push {
        std::uint32_t width, streams;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel, device.kernel({"infer_inject", shaders::infer_inject, 4, sizeof(Push), {fuses}}));
    recorder.dispatch(kernel, {reads(sizes.batch), updates(streams), reads(step.row), reads(step.factors)},
                      Push{step.width, step.streams}, {groupsFor(step.width, WB_LANES), sizes.tokens});
    return {};
}

Result<void> gateNgrams(Device& device, Recorder& recorder, const StepSizes& sizes, const GateNgramsStep& step, const View& rows) {
    struct Push {
        std::uint32_t width, stride;
        float root, least;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_gate_ngrams", shaders::infer_gate_ngrams, 4, sizeof(Push), {fuses}}));
    recorder.dispatch(kernel, {reads(sizes.batch), reads(step.keys), updates(rows), reads(step.value)},
                      Push{step.width, step.stride, std::sqrt(static_cast<float>(step.width)), infer::NgramOp::leastGate},
                      {step.streams, sizes.tokens});
    return {};
}

Result<void> meanBlocks(Device& device, Recorder& recorder, const StepSizes& sizes, const BlockMeansStep& step, const View& means) {
    struct Push {
        std::uint32_t length, block;
    };
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_index_means", shaders::infer_index_means, 4, sizeof(Push), {fuses}}));
    recorder.dispatch(kernel, {reads(sizes.batch), reads(step.keys), updates(step.state), writes(means)},
                      Push{static_cast<std::uint32_t>(step.op->length), static_cast<std::uint32_t>(step.op->block)},
                      {groupsFor(step.op->length, WB_LANES)});
    return {};
}

Result<void> selectTokens(Device& device, Recorder& recorder, const StepSizes& sizes, const SelectStep& step, const View& selected,
                          const View& counts) {
    struct ScorePush {
        std::uint32_t heads, length, block, best, firstToken, stride;
    };
    struct SelectPush {
        std::uint32_t block, best, firstToken, stride, selectedStride;
    };
    const infer::IndexOp& op = *step.op;
    const auto heads = static_cast<std::uint32_t>(op.heads), length = static_cast<std::uint32_t>(op.length),
               block = static_cast<std::uint32_t>(op.block), best = static_cast<std::uint32_t>(op.topK / op.block);
    const std::uint32_t cache = step.type == infer::CacheType::F32 ? WB_CACHE_F32 : WB_CACHE_F16;
    WB_TRY_ASSIGN(const bool fuses, device.fusesMultiplyAdd());
    WB_TRY_ASSIGN(
        const KernelPtr score,
        device.kernel(
            {"infer_index_scores", shaders::infer_index_scores, 5, sizeof(ScorePush), {cache, step.weights != nullptr, fuses}}));
    WB_TRY_ASSIGN(const KernelPtr select,
                  device.kernel({"infer_index_select", shaders::infer_index_select, 4, sizeof(SelectPush)}));
    const std::uint64_t ofToken = std::uint64_t{step.positions} * sizeof(float);
    const auto atOnce = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(step.scores.bytes / ofToken, 1, sizes.tokens));
    for (std::uint32_t token = 0; token < sizes.tokens; token += atOnce) {
        const std::uint32_t tokens = std::min(atOnce, sizes.tokens - token);
        recorder.dispatch(score,
                          {reads(sizes.batch), reads(step.queries), reads(viewOr(step.weights, sizes.batch)), reads(step.keys),
                           writes(step.scores)},
                          ScorePush{heads, length, block, best, token, step.positions},
                          {groupsFor(step.positions, WB_LANES), tokens});
        recorder.dispatch(select, {reads(sizes.batch), reads(step.scores), writes(selected), writes(counts)},
                          SelectPush{block, best, token, step.positions, step.selectedStride}, {tokens});
    }
    return {};
}

} // namespace wb::gpu

// SPDX-License-Identifier: MIT
#include "gpu/infer/kernels.h"
#include "gpu/shaders/infer_attend_fast.spv.h"

namespace wb::gpu {
namespace {

// Heads of queries of a workgroup: all have the same head of keys.
std::uint32_t headsTogether(std::uint32_t group) {
    std::uint32_t heads = WB_FAST_HEADS;
    while (group % heads != 0) --heads;
    return heads;
}

// Workgroups that find nothing to do are cheap but on software devices, which have few processors to fill.
std::uint32_t maxSplits(const DeviceInfo& device) { return device.software() ? 4 : WB_SPLITS; }

} // namespace

bool canAttendFast(const StepSizes& sizes, const AttendStep& step) {
    return sizes.tokens == 1 && !step.selected && step.keyLength % 8 == 0 && step.valueLength % 8 == 0 &&
           step.keyLength <= WB_MAX_KEY_LENGTH && step.valueLength <= WB_MAX_HEAD_LENGTH;
}

Result<void> attendFast(Device& device, Recorder& recorder, const StepSizes& sizes, const AttendStep& step,
                        const FastAttention& room, const View& to) {
    struct Push {
        std::uint32_t firstHead, group, valueLength, context, window;
        float scale, cap;
        std::uint32_t maxSplits;
    };
    const auto number = [](infer::CacheType type) -> std::uint32_t {
        using enum infer::CacheType;
        return type == Q8_0 ? WB_CACHE_Q8_0 : type == F32 ? WB_CACHE_F32 : WB_CACHE_F16;
    };
    const std::uint32_t together = headsTogether(step.group);
    WB_TRY_ASSIGN(const KernelPtr kernel,
                  device.kernel({"infer_attend_fast",
                                 shaders::infer_attend_fast,
                                 10,
                                 sizeof(Push),
                                 {number(step.keyType), number(step.valueType), together, step.cap > 0, step.sinks != nullptr,
                                  step.chunked, step.keyLength, step.codes != nullptr}}));
    const std::uint32_t splits = std::min(groupsFor(step.context, WB_SPLIT_TILES * WB_LANES), maxSplits(device.info()));
    recorder.dispatch(kernel,
                      {reads(sizes.batch), reads(step.queries), reads(step.keys), reads(step.values), writes(to),
                       updates(step.scores), reads(viewOr(step.sinks, sizes.batch)), updates(room.parts), updates(room.counters),
                       step.codes ? writes(*step.codes) : reads(sizes.batch)},
                      Push{step.firstHead, step.group, step.valueLength, step.context, step.window, step.scale, step.cap, splits},
                      {step.count / together, splits});
    return {};
}

} // namespace wb::gpu

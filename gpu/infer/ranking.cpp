// SPDX-License-Identifier: MIT
#include "gpu/infer/ranking.h"

#include "gpu/infer/device_memory.h"
#include "gpu/shaders/infer_rank.spv.h"

#include <array>

namespace wb::gpu {
namespace {

constexpr std::uint64_t pairBytes = 8, alignment = 256; // of bindings, everywhere

std::uint64_t halfBytes(std::uint64_t logits) {
    return (groupsFor(logits, WB_RANK_RUN) * std::uint64_t{maxRanked} * pairBytes + alignment - 1) / alignment * alignment;
}

// A round of ranking leaves fewer, or one run.
static_assert(2 * maxRanked <= WB_RANK_RUN);

} // namespace

std::uint64_t rankingBytes(std::uint64_t logits) { return 2 * halfBytes(logits); }

Result<View> rank(Device& device, Recorder& recorder, const View& logits, std::uint32_t count, std::uint32_t kept,
                  const View& room) {
    struct Push {
        std::uint32_t count, kept;
    };
    const std::uint64_t half = halfBytes(count);
    const std::array rooms = {viewPart(room, 0, half), viewPart(room, half, half)};
    View from = logits;
    for (std::size_t round = 0;; ++round) {
        const View& to = rooms[round % 2];
        WB_TRY_ASSIGN(const KernelPtr kernel,
                      device.kernel({"infer_rank", shaders::infer_rank, 2, sizeof(Push), {round > 0 ? 1u : 0u}}));
        const std::uint32_t runs = groupsFor(count, WB_RANK_RUN);
        recorder.dispatch(kernel, {reads(from), writes(to)}, Push{count, kept}, {runs});
        if (runs == 1) return viewPart(to, 0, kept * pairBytes);
        from = to;
        count = runs * kept;
    }
}

} // namespace wb::gpu

// SPDX-License-Identifier: MIT
#include "core/infer/cpu/attention.h"

#include <algorithm>
#include <limits>

namespace wb::infer::cpu {
namespace {

// The first position that a token sees.
std::size_t firstSeen(const AttendOp& op, std::size_t position) {
    if (op.chunked) return position / op.window * op.window;
    return op.window > 0 && position + 1 > op.window ? position + 1 - op.window : 0;
}

// Calls use(first, end, turn) for the runs of positions [first, end) that are side by side in a cache, whose positions turn around:
// position p is at place p - turn.
template <class Use>
void forRuns(std::size_t positions, std::size_t first, std::size_t end, Use use) {
    for (std::size_t turn = first / positions * positions; turn < end; turn += positions)
        use(std::max(first, turn), std::min(end, turn + positions), turn);
}

// Calls use(firstTile, endTile) for the runs of key tiles with these positions.
template <class Use>
void forTiles(std::span<const std::uint32_t> positions, Use use) {
    for (std::size_t i = 0; i < positions.size();) {
        const std::size_t first = positions[i] / keyTile;
        std::size_t end = first + 1;
        while (++i < positions.size() && positions[i] / keyTile <= end) end = positions[i] / keyTile + 1;
        use(first, end);
    }
}

float headSink(const AttendStep& step, std::size_t head) {
    return step.sinks ? step.sinks[head] : -std::numeric_limits<float>::infinity();
}

} // namespace

void attendPositions(const Kernels& kernels, const KvCache& cache, const AttendStep& step, const HeadTask& task,
                     std::span<const std::uint32_t> positions) {
    static_assert(groupTokens >= 3, "three rows of scores");
    const AttendOp& op = step.op;
    const HeadShape& shape = op.shape;
    const std::size_t kvHead = task.head / (shape.heads / shape.kvHeads), count = positions.size(), stride = task.scoreStride;
    float *const scores = task.scores, *const chosen = scores + stride, *const spread = chosen + stride;
    forTiles(positions, [&](std::size_t first, std::size_t end) {
        kernels.scoreKeys[static_cast<std::size_t>(cache.keyType(op.cache))](
            {task.queries + task.head * shape.keyLength, task.queryStride, 1, cache.keys(op.cache, kvHead), shape.keyLength, first,
             end, op.scale, scores, stride});
    });
    for (std::size_t i = 0; i < count; ++i) chosen[i] = scores[positions[i]];
    if (op.softcap > 0) kernels.softcap(chosen, count, op.softcap);
    kernels.softmax(chosen, 0, count, scoreStride(count), headSink(step, task.head));
    forTiles(positions,
             [&](std::size_t first, std::size_t end) { std::fill(spread + first * keyTile, spread + end * keyTile, 0.0F); });
    for (std::size_t i = 0; i < count; ++i) spread[positions[i]] = chosen[i];
    bool goesOn = false;
    forTiles(positions, [&](std::size_t first, std::size_t end) {
        kernels.sumValues[static_cast<std::size_t>(cache.valueType())](
            {spread, stride, 1, cache.values(op.cache, kvHead), shape.valueLength, first * keyTile,
             std::min(end * keyTile, task.position + 1), task.attended + task.head * shape.valueLength, task.attendedStride,
             goesOn});
        goesOn = true;
    });
}

void attendHead(const Kernels& kernels, const KvCache& cache, const AttendStep& step, const HeadTask& task) {
    const AttendOp& op = step.op;
    const HeadShape& shape = op.shape;
    const std::size_t kvHead = task.head / (shape.heads / shape.kvHeads), positions = cache.positions(op.cache);
    const std::size_t first = firstSeen(op, task.position), end = task.position + task.tokens;
    const std::size_t firstTiled = first / keyTile * keyTile, endTiled = scoreStride(end);
    const auto scoreKeys = kernels.scoreKeys[static_cast<std::size_t>(cache.keyType(op.cache))];
    const auto sumValues = kernels.sumValues[static_cast<std::size_t>(cache.valueType())];

    // scores[t][p] = scale * q[t] · k[p]
    forRuns(positions, firstTiled, endTiled, [&](std::size_t from, std::size_t to, std::size_t turn) {
        scoreKeys({task.queries + task.head * shape.keyLength, task.queryStride, task.tokens, cache.keys(op.cache, kvHead),
                   shape.keyLength, (from - turn) / keyTile, (to - turn) / keyTile, op.scale, task.scores + turn,
                   task.scoreStride});
    });

    // scores[t] = softmax(softcap(scores[t])), 0 where the token does not see
    const float sink = headSink(step, task.head);
    for (std::size_t t = 0; t < task.tokens; ++t) {
        float* const row = task.scores + t * task.scoreStride;
        const std::size_t own = firstSeen(op, task.position + t), ownEnd = task.position + t + 1;
        std::fill(row + firstTiled, row + own / keyTile * keyTile, 0.0F);
        if (op.softcap > 0) kernels.softcap(row + own, ownEnd - own, op.softcap);
        kernels.softmax(row, own, ownEnd, endTiled, sink);
    }

    // attended[t] = Σ scores[t][p] * v[p]
    forRuns(positions, firstTiled, end, [&](std::size_t from, std::size_t to, std::size_t turn) {
        sumValues({task.scores + turn, task.scoreStride, task.tokens, cache.values(op.cache, kvHead), shape.valueLength,
                   from - turn, to - turn, task.attended + task.head * shape.valueLength, task.attendedStride, from > firstTiled});
    });
}

} // namespace wb::infer::cpu

// SPDX-License-Identifier: MIT
#include "core/memory/compute_buffers.h"

#include "core/memory/cells.h"
#include "core/memory/recurrent.h"

#include <algorithm>

namespace wb::memory {
namespace {

using arch::LayerSpec;
using arch::ModelSpec;
using arch::Recurrence;

// f16 masks of attention, one more for the window.
std::uint64_t maskBytes(const ModelSpec& spec, std::uint64_t context) {
    const std::uint64_t windowed = spec.window == 0 ? 0 : cells(std::min(context, spec.window + microBatch));
    return 2 * microBatch * (cells(context) + windowed);
}

// The largest of each over the layers.
struct Widths {
    std::uint64_t queries = 0;
    std::uint64_t feedForward = 0; // of layers without experts
    std::uint64_t expertsUsed = 0;
    std::uint64_t expertWidth = 0;
};

Widths widthsOf(const ModelSpec& spec) {
    Widths w;
    for (const LayerSpec& layer : spec.layers) {
        w.queries = std::max(w.queries, layer.heads * layer.keyLength);
        w.feedForward = std::max(w.feedForward, layer.feedForward);
        w.expertsUsed = std::max(w.expertsUsed, layer.expertsUsed);
        w.expertWidth = std::max(w.expertWidth, layer.expertWidth);
    }
    return w;
}

// The functions below give the f32 elements that one token takes at one of the peaks of the graph.

std::uint64_t denseElements(const ModelSpec& spec, const Widths& w) {
    const Recurrence kind = spec.recurrent.kind;
    const bool holdsQueries = kind != Recurrence::DeltaNet && kind != Recurrence::ShortConvolution;
    return 3 * spec.width + (holdsQueries ? w.queries : 0) + (spec.gatedFeedForward ? 3 : 2) * w.feedForward;
}

std::uint64_t expertElements(const ModelSpec& spec, const Widths& w) {
    const std::uint64_t gap = w.queries == spec.width ? 0 : w.queries > spec.width ? w.queries : 2 * w.queries;
    const std::uint64_t spread = spec.width > 2 * w.expertWidth ? w.expertsUsed * spec.width : 0;
    return 2 * spec.width + 3 * w.expertsUsed * w.expertWidth + spread + gap;
}

// The residual, what is projected, three forms of what is convolved (with the old columns before it, summed, activated) and the
// result.
std::uint64_t scanElements(const ModelSpec& spec, const RecurrentShape& shape) {
    return spec.width + shape.projected + 3 * shape.mixed + shape.inner;
}

// The residual and its shifted form, six mixtures of both and what is projected from each.
std::uint64_t rwkvElements(const ModelSpec& spec) { return 16 * spec.width; }

// Elements in the buffers of a whole micro-batch at the highest peak.
std::uint64_t peakElements(const ModelSpec& spec) {
    const Widths w = widthsOf(spec);
    const RecurrentShape shape = recurrentShapeOf(spec);
    std::uint64_t peak = 0;
    if (w.feedForward > 0) peak = microBatch * denseElements(spec, w);
    if (w.expertsUsed > 0) peak = std::max(peak, microBatch * expertElements(spec, w));
    if (shape.inner > 0 && (shape.kind == Recurrence::Mamba || shape.kind == Recurrence::Mamba2))
        peak = std::max(peak, microBatch * scanElements(spec, shape) + shape.state + 2 * shape.convolution);
    if (shape.kind == Recurrence::Rwkv) peak = std::max(peak, microBatch * rwkvElements(spec) + 2 * shape.state);
    return peak;
}

} // namespace

std::optional<std::uint64_t> computeBytes(const ModelSpec& spec, std::uint64_t context) {
    const std::uint64_t peak = peakElements(spec);
    if (spec.width == 0 || peak == 0) return std::nullopt;
    const bool attends = std::ranges::any_of(spec.layers, &LayerSpec::hasAttention);
    const std::uint64_t mask = attends ? maskBytes(spec, std::min(context, arch::maxContext)) : 0;
    // Gemma 4 keeps an embedding for every layer until that layer has come.
    const std::uint64_t perLayer = spec.blockCount * spec.perLayerInput;
    return mask + 4 * (peak + microBatch * perLayer) + 4 * spec.vocabulary;
}

} // namespace wb::memory

// SPDX-License-Identifier: MIT
#include "core/memory/serving/compute_buffers.h"

#include "core/arch/family.h"
#include "core/memory/amounts.h"
#include "core/memory/serving/caches.h"
#include "core/memory/serving/recurrent.h"

#include <algorithm>

namespace wb::memory {
namespace {

using arch::LayerSpec;
using arch::ModelSpec;
using arch::Recurrence;

// The largest of each over the layers.
struct Widths {
    std::uint64_t queries = 0; // of the layers with a window where there are some
    std::uint64_t keys = 0;    // of one cell
    std::uint64_t heads = 0;
    std::uint64_t feedForward = 0; // of layers without experts
    std::uint64_t expertsUsed = 0;
    std::uint64_t expertWidth = 0;
};

Widths specWidths(const ModelSpec& spec) {
    Widths w;
    for (const LayerSpec& layer : spec.layers) {
        w.queries = std::max(w.queries, layer.heads * layer.keyLength);
        w.keys = std::max(w.keys, layer.kvHeads * layer.keyLength);
        w.heads = std::max(w.heads, layer.heads);
        w.feedForward = std::max(w.feedForward, layer.feedForward);
        w.expertsUsed = std::max(w.expertsUsed, layer.expertsUsed);
        w.expertWidth = std::max(w.expertWidth, layer.expertWidth);
    }
    return w;
}

// The functions below give the f32 elements that one token takes at one of the peaks of the graph.

std::uint64_t widthsGap(const ModelSpec& spec, const Widths& w) {
    return w.queries == spec.width ? 0 : w.queries > spec.width ? w.queries : 2 * w.queries;
}

// A GPU reuses more memory, except where the residual stays apart.
std::uint64_t denseOnGpu(const ModelSpec& spec, const Widths& w, std::uint64_t hidden) {
    if (spec.parallelResidual) return 4 * spec.width + 2 * w.keys + hidden;
    const bool keepsResidual = spec.recurrent.kind == Recurrence::DeltaNet || (spec.family && spec.family->keepsResidual);
    const std::uint64_t queries = keepsResidual ? spec.width : spec.latent.keyValueRank > 0 ? 0 : widthsGap(spec, w);
    return 2 * spec.width + queries + hidden;
}

std::uint64_t denseElements(const ModelSpec& spec, const Widths& w, Side side) {
    const Recurrence kind = spec.recurrent.kind;
    const std::uint64_t hidden = (spec.gatedFeedForward ? 3 : 2) * w.feedForward;
    if (side == Side::Gpu) return denseOnGpu(spec, w, hidden);
    const bool holdsQueries = kind != Recurrence::DeltaNet && kind != Recurrence::ShortConvolution;
    return 3 * spec.width + (holdsQueries ? w.queries : 0) + hidden;
}

std::uint64_t expertElements(const ModelSpec& spec, const Widths& w) {
    const std::uint64_t spread = spec.width > 2 * w.expertWidth ? w.expertsUsed * spec.width : 0;
    return 2 * spec.width + 3 * w.expertsUsed * w.expertWidth + spread + widthsGap(spec, w);
}

std::uint64_t latentElements(const ModelSpec& spec, const Widths& w, Side side) {
    const std::uint64_t rank = spec.latent.keyValueRank;
    const std::uint64_t rotated = w.keys > rank ? w.keys - rank : 0;
    return (side == Side::Gpu ? 2 : 4) * spec.width + w.heads * (spec.latent.keyLength + 2 * rank + rotated);
}

// The residual, the projection, three forms of the convolution input (with the old columns before it, summed, activated) and the
// result.
std::uint64_t scanElements(const ModelSpec& spec, const RecurrentShape& shape) {
    return spec.width + shape.projected + 3 * shape.mixed + shape.inner;
}

// The residual and its shifted form, six mixtures of both and what is projected from each.
std::uint64_t rwkvElements(const ModelSpec& spec) { return 16 * spec.width; }

std::uint64_t scoreElements(const ModelSpec& spec, const Widths& w, std::uint64_t cells) {
    return sum(product(w.heads, cells), 2 * spec.width, w.queries == spec.width ? 0 : 2 * w.queries);
}

// Collects the stages of one graph and keeps the highest.
class Peak {
public:
    explicit Peak(ComputeBuffers& buffers) : m_buffers(buffers) {}

    void offer(Stage stage, std::uint64_t tokens, std::uint64_t elements, std::uint64_t fixed = 0) {
        ComputeBuffers other = m_buffers;
        other.stage = stage;
        other.tokens = tokens;
        other.elements = elements;
        other.fixed = fixed;
        if (m_buffers.stage == Stage::None || other.peak() > m_buffers.peak()) m_buffers = other;
    }

private:
    ComputeBuffers& m_buffers;
};

enum class MaskOf : std::uint8_t { Computing, Host };

// Old builds send the mask in f32 and copy it to f16 where it is used.
std::uint64_t whereMaskBytes(const Settings& settings, MaskOf where) {
    if (!settings.flash) return 4;
    if (!allocatorRules(settings).copiesMask) return 2;
    return where == MaskOf::Host ? 4 : 6;
}

void addMask(ComputeBuffers& buffers, const ModelSpec& spec, const Settings& settings, MaskOf where) {
    bool full = false;
    bool windowed = false;
    for (const LayerSpec& layer : spec.layers)
        if (layer.hasAttention()) (layer.window > 0 ? windowed : full) = true;
    const CacheCells cells = cacheCells(spec, settings);
    buffers.maskBytes = whereMaskBytes(settings, where);
    buffers.maskCells = sum(full ? cells.full : 0, windowed ? cells.window : 0);
    buffers.maskTokens = settings.tokensAtOnce();
}

// Keys and values of the layer that has most of them, in f16.
void addScratch(ComputeBuffers& buffers, const ModelSpec& spec, const Settings& settings) {
    if (!allocatorRules(settings).reservesScratch) return;
    for (const LayerCache& cache : layerCaches(spec, settings)) {
        const std::uint64_t bytes = product(2, sum(cache.keyElements, cache.valueElements));
        if (product(bytes, cache.cells) <= buffers.scratch()) continue;
        buffers.scratchBytes = bytes;
        buffers.scratchCells = cache.cells;
    }
}

void addStages(ComputeBuffers& buffers, const ModelSpec& spec, const Settings& settings, Side side) {
    const Widths w = specWidths(spec);
    const RecurrentShape shape = specRecurrentShape(spec);
    const std::uint64_t tokens = settings.tokensAtOnce();
    // Gemma 4 keeps an embedding for every layer until that layer has come.
    const std::uint64_t perLayer = spec.blockCount * spec.perLayerInput;
    Peak peak(buffers);
    if (w.feedForward > 0) peak.offer(Stage::FeedForward, tokens, denseElements(spec, w, side) + perLayer);
    if (w.expertsUsed > 0) peak.offer(Stage::Experts, tokens, expertElements(spec, w) + perLayer);
    if (spec.latent.keyValueRank > 0 && w.heads > 0) peak.offer(Stage::LatentAttention, tokens, latentElements(spec, w, side));
    if (shape.inner > 0 && (shape.kind == Recurrence::Mamba || shape.kind == Recurrence::Mamba2))
        peak.offer(Stage::Scan, tokens, scanElements(spec, shape),
                   product(4, sum(shape.state, 2 * shape.convolution), settings.conversations));
    if (shape.kind == Recurrence::Rwkv)
        peak.offer(Stage::TimeMix, tokens, rwkvElements(spec), product(8, shape.state, settings.conversations));
    if (!settings.flash && w.heads > 0) // 8 bytes an element of a key: where it goes in the cache
        peak.offer(Stage::Scores, tokens, scoreElements(spec, w, cacheCells(spec, settings).full), product(8, tokens, w.keys));
}

// The last product of the graph needs no mask. A GPU puts very large logits into their own buffer.
void addLogits(ComputeBuffers& buffers, const ModelSpec& spec, const Settings& settings, Side side) {
    const std::uint64_t rows = std::min(settings.tokensAtOnce(), settings.outputRows());
    const bool isDouble = side == Side::Processor || specWidths(spec).queries == spec.width;
    const std::uint64_t elements = sum(spec.vocabulary, (isDouble ? 2 : 1) * spec.width);
    // Vulkan cuts its buffers at 1 GiB, so that logits of that size share none.
    const bool isCut = side == Side::Gpu && settings.backendUsed() == Backend::Vulkan;
    if (isCut && product(4, rows, elements) >= (1u << 30)) {
        buffers.fixed = sum(buffers.fixed, product(4, rows, spec.vocabulary));
        return;
    }
    if (product(4, rows, elements) <= buffers.total()) return;
    buffers = {};
    buffers.stage = Stage::Logits;
    buffers.tokens = rows;
    buffers.elements = elements;
}

} // namespace

std::uint64_t ComputeBuffers::mask() const { return product(maskBytes, maskTokens, maskCells, copies); }
std::uint64_t ComputeBuffers::scratch() const { return product(scratchBytes, scratchCells); }
std::uint64_t ComputeBuffers::peak() const { return sum(product(4, tokens, elements), fixed); }
std::uint64_t ComputeBuffers::total() const { return sum(mask(), scratch(), inputs, peak()); }

std::optional<ComputeBuffers> computeBuffers(const ModelSpec& spec, const Settings& settings, Side side, BufferShare share) {
    ComputeBuffers buffers;
    buffers.copies = share.copies;
    if (share.copies > 1) buffers.inputs = product(4, settings.tokensAtOnce(), spec.width, share.copies);
    addMask(buffers, spec, settings, MaskOf::Computing);
    addScratch(buffers, spec, settings);
    addStages(buffers, spec, settings, side);
    if (spec.width == 0 || buffers.peak() == 0) return std::nullopt;
    if (share.hasLogits) addLogits(buffers, spec, settings, side);
    return buffers;
}

std::uint64_t hostBuffers(const ModelSpec& spec, const Settings& settings) {
    ComputeBuffers buffers;
    addMask(buffers, spec, settings, MaskOf::Host);
    const std::uint64_t tokens = settings.tokensAtOnce();
    const std::uint64_t indices = settings.flash ? 0 : product(8, tokens, specWidths(spec).keys);
    return sum(buffers.mask(), product(8, tokens, spec.width), product(4, tokens, spec.blockCount * spec.perLayerInput), indices);
}

std::uint64_t outputBytes(const ModelSpec& spec, const Settings& settings) {
    return product(4, spec.vocabulary, std::max<std::uint64_t>(1, settings.conversations));
}

std::optional<std::uint64_t> computeBytes(const ModelSpec& spec, const Settings& settings) {
    const auto buffers = computeBuffers(spec, settings, Side::Processor);
    return buffers ? std::optional(sum(buffers->total(), outputBytes(spec, settings))) : std::nullopt;
}

} // namespace wb::memory

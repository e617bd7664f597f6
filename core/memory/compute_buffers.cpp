// SPDX-License-Identifier: MIT
#include "core/memory/compute_buffers.h"

#include "core/memory/cells.h"
#include "core/memory/model_keys.h"
#include "core/memory/recurrent.h"

namespace wb::memory {
namespace {

constexpr std::uint64_t mostOfAnything = 1 << 24; // widths and counts beyond it are nobody's model

// The largest number under a key, which may hold one a layer.
std::uint64_t largest(const Model& model, const Keys& keys, const char* key) {
    const Value* value = model.metadata.find(model.architecture.value_or("") + "." + key);
    const ValueArray* array = value ? value->array() : nullptr;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < (array ? array->first.size() : 1); ++i) most = std::max(most, keys.number(key, i).value_or(0));
    return std::min(most, mostOfAnything);
}

// f16 masks of attention, one more for the window.
std::uint64_t maskBytes(const Model& model, const Keys& keys, std::uint64_t context) {
    const std::uint64_t window = largest(model, keys, "attention.sliding_window");
    const std::uint64_t seen = window == 0 ? 0 : cells(std::min(context, window + microBatch));
    return 2 * microBatch * (cells(context) + seen);
}

struct Widths {
    std::uint64_t width = 0;
    std::uint64_t heads = 0;
    std::uint64_t queries = 0;
    std::uint64_t feedForward = 0;
    std::uint64_t experts = 0; // used
    std::uint64_t expertWidth = 0;
    bool hasDense = false; // a layer without experts
};

Widths widthsOf(const Model& model, const Keys& keys) {
    const auto number = [&](const char* key) { return largest(model, keys, key); };
    Widths w;
    w.width = number("embedding_length");
    w.heads = number("attention.head_count");
    const std::uint64_t keyLength = number("attention.key_length");
    if (w.heads > 0) w.queries = std::min(mostOfAnything, w.heads * (keyLength > 0 ? keyLength : w.width / w.heads));
    w.feedForward = number("feed_forward_length");
    w.experts = number("expert_used_count");
    w.expertWidth = number("expert_feed_forward_length");
    w.hasDense = w.feedForward > 0 && (w.experts == 0 || number("leading_dense_block_count") > 0);
    return w;
}

// The moments below are the f32 elements a token takes.

std::uint64_t denseMoment(const Widths& w, const Model& model, Recurrence recurrence) {
    const bool hasGate = model.architecture != "nemotron_h";
    const bool holdsQueries = recurrence != Recurrence::DeltaNet && recurrence != Recurrence::ShortConvolution;
    return 3 * w.width + (holdsQueries ? w.queries : 0) + (hasGate ? 3 : 2) * w.feedForward;
}

std::uint64_t sparseMoment(const Widths& w) {
    const std::uint64_t gap = w.queries == w.width ? 0 : w.queries > w.width ? w.queries : 2 * w.queries;
    const std::uint64_t spread = w.width > 2 * w.expertWidth ? w.experts * w.width : 0;
    return 2 * w.width + 3 * w.experts * w.expertWidth + spread + gap;
}

// The residual, what is projected, three forms of what is convolved (with the old columns before it, summed, activated) and the result.
std::uint64_t scanMoment(const Widths& w, const RecurrentShape& shape) { return w.width + shape.projected + 3 * shape.mixed + shape.inner; }

// The residual and its shifted form, six mixtures of both and what is projected from each.
std::uint64_t rwkvMoment(const Widths& w) { return 16 * w.width; }

// Elements in the buffers of a whole micro-batch at the worst moment.
std::uint64_t largestMoment(const Widths& w, const Model& model) {
    const RecurrentShape shape = recurrentShapeOf(model);
    std::uint64_t most = 0;
    if (w.hasDense) most = denseMoment(w, model, shape.kind);
    if (w.experts > 0) most = std::max(most, sparseMoment(w));
    most *= microBatch;
    if (shape.inner > 0 && (shape.kind == Recurrence::Mamba || shape.kind == Recurrence::Mamba2))
        most = std::max(most, microBatch * scanMoment(w, shape) + shape.state + 2 * shape.convolution);
    if (shape.kind == Recurrence::Rwkv) most = std::max(most, microBatch * rwkvMoment(w) + 2 * shape.state);
    return most;
}

} // namespace

std::optional<std::uint64_t> computeBytes(const Model& model, std::uint64_t context) {
    if (model.format != "gguf") return std::nullopt;
    const Keys keys(model);
    const Widths widths = widthsOf(model, keys);
    const std::uint64_t moment = largestMoment(widths, model);
    if (widths.width == 0 || moment == 0) return std::nullopt;
    const std::uint64_t mask = widths.heads > 0 ? maskBytes(model, keys, std::min(context, mostOfAnything)) : 0;
    // Gemma 4 keeps an embedding for every layer until that layer has come.
    const std::uint64_t perLayer =
        std::min(keys.number("block_count").value_or(0), mostLayers) * largest(model, keys, "embedding_length_per_layer_input");
    return mask + 4 * (moment + microBatch * perLayer) + 4 * largest(model, keys, "vocab_size");
}

} // namespace wb::memory

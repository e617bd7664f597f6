// SPDX-License-Identifier: MIT
#include "core/memory/compute_buffers.h"

#include "core/memory/cells.h"
#include "core/memory/model_keys.h"

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

} // namespace

std::optional<std::uint64_t> computeBytes(const Model& model, std::uint64_t context) {
    const Keys keys(model);
    const auto number = [&](const char* key) { return largest(model, keys, key); };
    const std::uint64_t width = number("embedding_length");
    const std::uint64_t heads = number("attention.head_count");
    const std::uint64_t feedForward = number("feed_forward_length");
    const std::uint64_t experts = number("expert_used_count");
    const std::uint64_t expertWidth = number("expert_feed_forward_length");
    if (model.format != "gguf" || width == 0 || heads == 0 || (feedForward == 0 && expertWidth == 0)) return std::nullopt;

    const std::uint64_t keyLength = number("attention.key_length");
    const std::uint64_t queries = std::min(mostOfAnything, heads * (keyLength > 0 ? keyLength : width / heads));
    const std::uint64_t gap = queries == width ? 0 : queries > width ? queries : 2 * queries;
    const std::uint64_t dense = 3 * width + queries + 3 * feedForward;
    const std::uint64_t spread = width > 2 * expertWidth ? experts * width : 0;
    const std::uint64_t sparse = 2 * width + 3 * experts * expertWidth + spread + gap;
    const bool hasDense = experts == 0 || number("leading_dense_block_count") > 0;
    const std::uint64_t moment = std::max(hasDense ? dense : 0, experts > 0 ? sparse : 0);
    const std::uint64_t logits = 4 * number("vocab_size");
    return maskBytes(model, keys, std::min(context, mostOfAnything)) + 4 * microBatch * moment + logits;
}

} // namespace wb::memory

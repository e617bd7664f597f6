// SPDX-License-Identifier: MIT
#include "core/memory/kv_cache.h"

#include "core/memory/cells.h"
#include "core/memory/model_keys.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wb::memory {
namespace {


// Every which layer sees everything, for families that do not say it: all others have the window.
struct Period {
    std::string_view architecture;
    std::uint64_t layers;
};
constexpr std::array<Period, 5> periods = {{{"gemma2", 2}, {"gemma3", 6}, {"gpt-oss", 2}, {"cohere2", 4}, {"llama4", 4}}};

bool isWindowed(const Keys& keys, const Model& model, std::size_t layer) {
    if (const auto said = keys.flag("attention.sliding_window_pattern", layer)) return *said;
    const auto written = keys.number("attention.sliding_window_pattern");
    std::uint64_t period = written.value_or(0);
    for (const Period& family : periods)
        if (period == 0 && model.architecture == family.architecture) period = family.layers;
    return period == 0 ? false : layer % period != period - 1;
}

KvShape::Layer layerOf(const Keys& keys, const Model& model, std::size_t index, bool hasWindow) {
    KvShape::Layer layer;
    const std::uint64_t heads = keys.number("attention.head_count", index).value_or(0);
    const std::uint64_t width = keys.number("embedding_length").value_or(0);
    const std::uint64_t usual = heads == 0 ? 0 : width / heads;
    layer.windowed = hasWindow && isWindowed(keys, model, index);
    if (const auto rank = keys.number("attention.kv_lora_rank"); rank && *rank > 0) {
        layer.heads = 1;
        layer.keyLength = *rank + keys.number("rope.dimension_count").value_or(0);
        return layer;
    }
    layer.heads = keys.number("attention.head_count_kv", index).value_or(heads);
    layer.keyLength = keys.number("attention.key_length").value_or(usual);
    layer.valueLength = keys.number("attention.value_length").value_or(usual);
    if (layer.windowed) {
        layer.keyLength = keys.number("attention.key_length_swa").value_or(layer.keyLength);
        layer.valueLength = keys.number("attention.value_length_swa").value_or(layer.valueLength);
    }
    return layer;
}

// Hybrid families keep a cache only in every so-manieth layer.
bool hasCache(const Keys& keys, std::size_t layer) {
    const auto interval = keys.number("full_attention_interval");
    return !interval || *interval == 0 || layer % *interval == *interval - 1;
}

} // namespace

std::optional<KvShape> kvShapeOf(const Model& model) {
    const Keys keys(model);
    const std::uint64_t count = keys.number("block_count").value_or(0);
    // Layers at the end that use another one's cache, and blocks that predict further tokens and are not loaded for it.
    const std::uint64_t without = keys.number("attention.shared_kv_layers").value_or(0) + keys.number("nextn_predict_layers").value_or(0);
    if (model.format != "gguf" || count == 0 || count > mostLayers || !keys.number("attention.head_count")) return std::nullopt;
    KvShape shape;
    shape.window = keys.number("attention.sliding_window").value_or(0);
    for (std::size_t i = 0; i < count; ++i) {
        const bool caches = hasCache(keys, i) && i + without < count;
        shape.layers.push_back(caches ? layerOf(keys, model, i, shape.window > 0) : KvShape::Layer{});
    }
    return shape;
}

std::uint64_t kvBytes(const KvShape& shape, std::uint64_t context, double bytesPerElement) {
    const std::uint64_t all = cells(context);
    const std::uint64_t windowed = cells(std::min(all, shape.window + std::min(microBatch, all)));
    double bytes = 0;
    for (const KvShape::Layer& layer : shape.layers) {
        const double elements =
            static_cast<double>(layer.heads) * (static_cast<double>(layer.keyLength) + static_cast<double>(layer.valueLength));
        bytes += static_cast<double>(layer.windowed ? windowed : all) * elements * bytesPerElement;
    }
    return static_cast<std::uint64_t>(bytes);
}

} // namespace wb::memory

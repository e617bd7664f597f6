// SPDX-License-Identifier: MIT
#include "gpu/infer/device_buffers.h"

#include "gpu/shaders/infer/batch.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::gpu {
namespace {

using infer::MemoryUse;

constexpr std::uint64_t numberBytes = sizeof(float);

// The widest rows of some layers.
struct RowWidths {
    std::uint64_t queries = 0, keys = 0, values = 0, attended = 0, hidden = 0, heads = 0;

    void operator()(const infer::QkvOp& op) {
        queries = std::max(queries, op.shape.heads * op.shape.keyLength);
        keys = std::max(keys, op.shape.kvHeads * op.shape.keyLength);
        values = std::max(values, op.shape.kvHeads * op.shape.valueLength);
    }
    void operator()(const infer::AttendOp& op) {
        attended = std::max(attended, op.shape.heads * op.shape.valueLength);
        heads = std::max(heads, op.shape.heads);
    }
    void operator()(const infer::GateUpOp& op) { hidden = std::max(hidden, op.up.weight.count); }
    void operator()(const auto&) const {}
};

// As many tokens at a time as a moderate buffer has space for.
std::uint64_t scoreBytes(std::uint64_t heads, std::size_t context) {
    constexpr std::uint64_t moderate = 64u << 20, tokensAtOnce = 8;
    const std::uint64_t ofToken = std::max<std::uint64_t>(heads, 1) * cachedPositions(context) * numberBytes;
    return std::clamp<std::uint64_t>(moderate / ofToken, 1, tokensAtOnce) * ofToken;
}

} // namespace

std::uint64_t angleNumbers(const infer::RopeOp& rope) { return deviceBatch * rope.dimensions; }

DeviceBuffers::DeviceBuffers(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first,
                             const DeviceInfo& device) {
    weights.plan(graph, first, device.viewBytes, memory);
    planCaches(graph, options, first);
    planRows(graph, options, first, device);
}

void DeviceBuffers::planCaches(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first) {
    caches.resize(graph.caches.size());
    const std::uint64_t positions = cachedPositions(options.context);
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            const auto* const qkv = std::get_if<infer::QkvOp>(&op);
            if (!qkv) continue;
            const infer::HeadShape& shape = qkv->shape;
            Cache& cache = caches[qkv->cache];
            memory.add(cache.keys, fmt::format("keys {} [{}][{}][{}]", layer, shape.kvHeads, positions, shape.keyLength),
                       MemoryUse::Keys, {shape.kvHeads, positions, cachedBytes(options.keys, shape.keyLength)});
            memory.add(cache.values, fmt::format("values {} [{}][{}][{}]", layer, shape.kvHeads, positions, shape.valueLength),
                       MemoryUse::Values, {shape.kvHeads, positions, cachedBytes(options.values, shape.valueLength)});
        }
}

void DeviceBuffers::planRows(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first,
                             const DeviceInfo& device) {
    RowWidths widths;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) std::visit([&](const auto& of) { widths(of); }, op);
    const std::uint64_t widest = std::max({graph.width, widths.attended, widths.hidden});
    const auto rows = [this](View& view, const char* name, std::uint64_t columns) {
        memory.add(view, fmt::format("{} [{}][{}]", name, deviceBatch, columns), MemoryUse::Compute,
                   {deviceBatch, columns, numberBytes});
    };
    memory.add(batch, "batch", MemoryUse::Compute, {WB_BATCH_WORDS, numberBytes});
    rows(x, "x", graph.width);
    rows(queries, "queries", widths.queries);
    rows(rotated, "rotated queries", widths.queries);
    rows(keys, "keys", widths.keys);
    rows(values, "values", widths.values);
    rows(attended, "attended", widths.attended);
    rows(hidden, "hidden", widths.hidden);
    memory.add(scores, "scores", MemoryUse::Compute, {std::min(scoreBytes(widths.heads, options.context), device.viewBytes)});
    rows(prepared.floats, "inputs, f32", widest);
    rows(prepared.codes, "inputs, 8 bits", (widest / WB_RECORD_COLUMNS + 1) * WB_RECORD_WORDS);
    memory.add(logits, "logits", MemoryUse::Compute, {graph.vocabulary, numberBytes});
    angles.resize(std::max<std::size_t>(graph.ropes.size(), 1));
    for (std::size_t r = 0; r < angles.size(); ++r)
        memory.add(angles[r], "angles", MemoryUse::Compute,
                   {r < graph.ropes.size() ? angleNumbers(graph.ropes[r]) : 1, numberBytes});
}

Result<infer::EngineMemory> planDeviceMemory(const infer::Graph& graph, const infer::EngineOptions& options,
                                             std::uint64_t gpuLayers, const DeviceInfo& device) {
    if (gpuLayers == 0) return infer::EngineMemory{};
    const std::size_t layers = graph.layers.size(), moved = std::min<std::uint64_t>(gpuLayers - 1, layers);
    return DeviceBuffers(graph, options, layers - moved, device).memory.layout().memory();
}

std::uint64_t fittingLayers(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device,
                            std::uint64_t bytes) {
    // The arena may leave the end of a chunk free.
    const auto fits = [&](std::uint64_t layers) {
        const auto memory = planDeviceMemory(graph, options, layers, device);
        return memory && memory->total() <= bytes - std::min(bytes, Arena::chunkBytes);
    };
    std::uint64_t fitting = 0, beyond = graph.layers.size() + 2;
    while (beyond - fitting > 1) {
        const std::uint64_t middle = fitting + (beyond - fitting) / 2;
        (fits(middle) ? fitting : beyond) = middle;
    }
    return fitting;
}

} // namespace wb::gpu

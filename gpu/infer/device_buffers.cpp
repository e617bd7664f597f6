// SPDX-License-Identifier: MIT
#include "gpu/infer/device_buffers.h"

#include "gpu/shaders/infer/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wb::gpu {
namespace {

using infer::MemoryUse;

constexpr std::uint64_t numberBytes = sizeof(float);

// The widest rows of some layers.
struct RowWidths {
    std::uint64_t queries = 0, keys = 0, values = 0, attended = 0, hidden = 0, heads = 0;
    std::uint64_t branch = 0, sum = 0, experts = 0, used = 0, pairInner = 0, schedule = 0;
    bool layerInputs = false;

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
    void operator()(const infer::ResidualOp& op) {
        if (op.norm) branch = std::max(branch, op.linear.weight.count);
        if (op.target == infer::RowTarget::Sum) sum = std::max(sum, op.linear.weight.count);
    }
    void operator()(const infer::RouteOp& op) {
        experts = std::max(experts, op.experts);
        used = std::max(used, op.used);
        schedule = std::max(schedule, scheduleWords(deviceBatch, op.experts, op.used));
    }
    void operator()(const infer::ExpertsOp& op) {
        used = std::max(used, op.used);
        pairInner = std::max(pairInner, op.used * op.inner);
        if (op.outNorm) branch = std::max(branch, op.down.count);
        if (op.target == infer::RowTarget::Sum) sum = std::max(sum, op.down.count);
    }
    void operator()(const infer::LayerInputOp& op) {
        hidden = std::max(hidden, op.gate.count);
        layerInputs = true;
    }
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
            if (!qkv || !qkv->k) continue;
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
    const std::uint64_t widest = std::max({graph.width, widths.attended, widths.hidden, widths.pairInner});
    const auto rows = [this](View& view, const char* name, std::uint64_t columns) {
        if (columns > 0)
            memory.add(view, fmt::format("{} [{}][{}]", name, deviceBatch, columns), MemoryUse::Compute,
                       {deviceBatch, columns, numberBytes});
    };
    memory.add(batch, "batch", MemoryUse::Compute, {WB_BATCH_WORDS, numberBytes});
    rows(x, "x", graph.width);
    rows(branch, "branch", widths.branch);
    rows(sum, "sum", widths.sum);
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
    rows(routerLogits, "router logits", widths.experts);
    rows(routed.chosen, "chosen experts", widths.used);
    rows(routed.weights, "weights of the chosen experts", widths.used);
    if (widths.experts > 0) {
        rows(routed.gates, "gates of the shared expert", 1);
        memory.add(routed.schedule, "schedule of the experts", MemoryUse::Compute, {widths.schedule, numberBytes});
    }
    rows(expertHidden, "hidden of the experts", widths.pairInner);
    rows(expertOut, "results of the experts", widths.pairInner > 0 ? widths.used * graph.width : 0);
    if (widths.layerInputs) {
        const std::uint64_t all = graph.layerInputs->projection.count;
        rows(embeddings, "embeddings", graph.width);
        rows(layerInputs, "layer inputs", all);
        rows(layerTable, "embeddings of the layers", all);
    }
    planTemperatures(graph, first);
    angles.resize(std::max<std::size_t>(graph.ropes.size(), 1));
    for (std::size_t r = 0; r < angles.size(); ++r)
        memory.add(angles[r], "angles", MemoryUse::Compute,
                   {r < graph.ropes.size() ? angleNumbers(graph.ropes[r]) : 1, numberBytes});
}

void DeviceBuffers::planTemperatures(const infer::Graph& graph, std::size_t first) {
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            const auto* const qkv = std::get_if<infer::QkvOp>(&op);
            if (!qkv || qkv->temperature.scale == 0) continue;
            if (std::ranges::find(temperatures, qkv->temperature, &Factors::temperature) == temperatures.end())
                temperatures.push_back({qkv->temperature, {}});
        }
    for (Factors& each : temperatures)
        memory.add(each.factors, "factors of queries", MemoryUse::Compute, {deviceBatch, numberBytes});
}

bool canSplitAt(const infer::Graph& graph, std::size_t first) {
    std::set<std::uint32_t> stored;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            if (const auto* const qkv = std::get_if<infer::QkvOp>(&op); qkv && qkv->k) stored.insert(qkv->cache);
            if (const auto* const attend = std::get_if<infer::AttendOp>(&op); attend && !stored.contains(attend->cache))
                return false;
        }
    return true;
}

std::uint64_t possibleLayers(const infer::Graph& graph, std::uint64_t gpuLayers) {
    const std::size_t layers = graph.layers.size();
    std::uint64_t possible = std::min<std::uint64_t>(gpuLayers, layers + 1);
    while (possible > 1 && !canSplitAt(graph, layers - (possible - 1))) --possible;
    return possible;
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

// SPDX-License-Identifier: MIT
#include "gpu/infer/device_buffers.h"

#include "core/base/checked.h"
#include "gpu/shaders/infer/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wb::gpu {
namespace {

using infer::MemoryUse;

constexpr std::uint64_t numberBytes = sizeof(float);

void widen(std::uint64_t& width, std::uint64_t to) { width = std::max(width, to); }

// The widest rows of some layers.
struct RowWidths {
    std::uint64_t width = 0; // of x
    std::uint64_t queries = 0, rotated = 0, keys = 0, values = 0, attended = 0, hidden = 0, heads = 0, mixed = 0, compressed = 0;
    std::uint64_t branch = 0, sum = 0, experts = 0, used = 0, pairInner = 0, schedule = 0;
    std::uint64_t streams = 0, normedStreams = 0, streamRank = 0, injection = 0, ngrams = 0;
    std::uint64_t indexQueries = 0, indexKeys = 0, indexHeads = 0, selected = 0, inputs = 0; // inputs: of heads' matrices
    std::uint64_t attentionRoom = 0, gates = 0;
    std::uint64_t units = 1; // of a follow-up: all rows, heads, or records
    bool layerInputs = false;

    void operator()(const infer::QkvOp& op) {
        const std::uint64_t all = op.shape.heads * op.shape.keyLength;
        widen(op.gates ? mixed : queries, op.q.weight.count);
        widen(rotated, all);
        widen(units, op.shape.heads);
        if (op.normsAfterRope) widen(queries, op.shape.kvHeads * op.shape.keyLength);
        widen(keys, op.shape.kvHeads * op.shape.keyLength);
        widen(values, op.shape.kvHeads * op.shape.valueLength);
    }
    void operator()(const infer::AttendOp& op) {
        widen(attended, op.shape.heads * op.shape.valueLength);
        widen(heads, op.shape.heads);
        widen(attentionRoom, op.shape.heads * attentionParts(op.shape.valueLength));
    }
    void operator()(const infer::LatentQkvOp& op) {
        widen(rotated, op.shape.heads * op.shape.keyLength);
        widen(keys, op.shape.keyLength);
        widen(mixed, op.q.weight.count);
        widen(compressed, op.compress.weight.count);
        widen(inputs, op.shape.heads * op.plain);
    }
    void operator()(const infer::HeadwiseOp& op) {
        widen(mixed, op.weight.count);
        widen(inputs, op.heads * op.weight.tensor->shape.rowLength());
    }
    void operator()(const infer::ProjectOp& op) { widen(mixed, op.first + op.numbers()); }
    void operator()(const infer::DeltaNetOp& op) { widen(attended, op.valueHeads * op.valueLength); }
    void operator()(const infer::StateSpaceOp& op) { widen(attended, op.heads * op.valueLength); }
    void operator()(const infer::GateUpOp& op) {
        widen(hidden, op.up.weight.count);
        widen(units, op.up.weight.count / WB_RECORD_COLUMNS);
        if (op.gate) widen(gates, op.gate.weight.count);
    }
    void operator()(const infer::ResidualOp& op) {
        if (op.norm) widen(branch, op.linear.weight.count);
        if (op.target == infer::RowTarget::Sum) widen(sum, op.linear.weight.count);
    }
    void operator()(const infer::RouteOp& op) {
        widen(experts, op.experts);
        widen(used, op.used);
        widen(schedule, scheduleWords(deviceBatch, op.experts, op.used));
    }
    void operator()(const infer::ExpertsOp& op) {
        widen(used, op.used);
        widen(pairInner, op.used * op.inner);
        if (op.outNorm) widen(branch, op.down.count);
        if (op.target == infer::RowTarget::Sum) widen(sum, op.down.count);
    }
    void operator()(const infer::LayerInputOp& op) {
        widen(hidden, op.gate.count);
        layerInputs = true;
    }
    void operator()(const infer::MixStreamsOp& op) {
        widen(normedStreams, op.streams * width);
        widen(mixed, op.streams * width);
        widen(streamRank, op.down.weight.count);
        widen(injection, op.streams);
    }
    void operator()(const infer::NgramOp& op) {
        widen(normedStreams, op.streams * width);
        widen(mixed, 2 * op.streams * width);
        widen(ngrams, op.heads() * op.table.tensor->shape.rowLength());
        widen(branch, width);
    }
    void operator()(const infer::IndexOp& op) {
        widen(indexQueries, op.heads * op.length);
        widen(indexKeys, op.length);
        widen(indexHeads, op.heads);
        widen(selected, op.selected());
    }
    void operator()(const auto&) const {}

    std::uint64_t widestInput() const {
        return std::max({width, attended, hidden, pairInner, mixed, compressed, normedStreams, streamRank, ngrams, inputs});
    }
};

// The cache that an operation stores keys in.
std::optional<std::uint32_t> storedCache(const infer::LayerOp& op) {
    if (const auto* const qkv = std::get_if<infer::QkvOp>(&op); qkv && qkv->k) return qkv->cache;
    if (const auto* const latent = std::get_if<infer::LatentQkvOp>(&op)) return latent->cache;
    if (const auto* const index = std::get_if<infer::IndexOp>(&op)) return index->cache;
    return std::nullopt;
}

// The state that an operation changes. Those of n-grams are tokens, which the host knows.
std::optional<std::uint32_t> usedState(const infer::LayerOp& op) {
    if (const auto* const conv = std::get_if<infer::ConvOp>(&op)) return conv->state;
    if (const auto* const delta = std::get_if<infer::DeltaNetOp>(&op)) return delta->state;
    if (const auto* const space = std::get_if<infer::StateSpaceOp>(&op)) return space->state;
    if (const auto* const index = std::get_if<infer::IndexOp>(&op)) return index->state;
    return std::nullopt;
}

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
    planStates(graph, options, first);
    planRows(graph, options, first, device);
}

void DeviceBuffers::planCaches(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first) {
    caches.resize(graph.caches.size());
    const auto add = [&](std::size_t layer, std::uint32_t index) {
        const infer::CacheShape& shape = graph.caches[index];
        const std::uint64_t positions = cachedKeys(shape, options.context), heads = shape.heads.kvHeads;
        Cache& cache = caches[index];
        memory.add(cache.keys, fmt::format("keys {} [{}][{}][{}]", layer, heads, positions, shape.heads.keyLength), MemoryUse::Keys,
                   {heads, positions, cachedBytes(keyType(shape, options), shape.heads.keyLength)});
        if (shape.heads.valueLength > 0)
            memory.add(cache.values, fmt::format("values {} [{}][{}][{}]", layer, heads, positions, shape.heads.valueLength),
                       MemoryUse::Values, {heads, positions, cachedBytes(options.values, shape.heads.valueLength)});
    };
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer])
            if (const auto stored = storedCache(op)) add(layer, *stored);
}

// Each state starts where a binding may.
void DeviceBuffers::planStates(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first) {
    stateStarts.resize(graph.states.size());
    stateBytes.resize(graph.states.size());
    constexpr std::uint64_t tooMany = std::uint64_t{1} << 44; // which no device has, and of which sums do not overflow
    std::uint64_t all = 0;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            const auto index = usedState(op);
            if (!index) continue;
            stateStarts[*index] = all;
            const auto numbers = checked::mul(graph.states[*index].rows, graph.states[*index].columns);
            stateBytes[*index] = std::clamp<std::uint64_t>(numbers.value_or(tooMany), 1, tooMany) * numberBytes;
            all += Arena::roomFor(stateBytes[*index]);
        }
    if (all == 0) return;
    memory.add(state, "state", MemoryUse::State, {all});
    snapshots.resize(std::max<std::size_t>(options.stateSnapshots, 1)); // a batch that is stopped needs one
    for (std::size_t i = 0; i < snapshots.size(); ++i)
        memory.add(snapshots[i], fmt::format("state, snapshot {}", i), MemoryUse::State, {all});
}

void DeviceBuffers::planRows(const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first,
                             const DeviceInfo& device) {
    RowWidths widths;
    widths.width = graph.width;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) std::visit([&](const auto& of) { widths(of); }, op);
    if (graph.head && graph.head->mix) widths(*graph.head->mix);
    widths.streams = graph.streams * graph.width;
    mixedStride = static_cast<std::uint32_t>(widths.mixed);
    selectedStride = static_cast<std::uint32_t>(std::min<std::uint64_t>(widths.selected, options.context));
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
    rows(rotated, "rotated queries", widths.rotated);
    rows(keys, "keys", widths.keys);
    rows(values, "values", widths.values);
    rows(mixed, "mixed", widths.mixed);
    rows(compressed, "compressed queries", widths.compressed);
    rows(attended, "attended", widths.attended);
    rows(hidden, "hidden", widths.hidden);
    rows(gates, "gates", widths.gates);
    memory.add(scores, "scores", MemoryUse::Compute, {std::min(scoreBytes(widths.heads, options.context), device.viewBytes)});
    if (widths.attentionRoom > 0 && mayBeFast(device, options.kernels)) {
        memory.add(fastAttention.parts, "parts of attention", MemoryUse::Compute, {widths.attentionRoom, numberBytes});
        memory.add(fastAttention.counters, "finished parts of attention", MemoryUse::Compute, {widths.heads, numberBytes});
    }
    rows(prepared.floats, "inputs, f32", widths.widestInput());
    const std::uint64_t codeWords = (widths.widestInput() / WB_RECORD_COLUMNS + 1) * WB_RECORD_WORDS;
    rows(prepared.codes, "inputs, 8 bits", codeWords);
    memory.add(followed.floats, "next input of a token, f32", MemoryUse::Compute, {widths.widestInput(), numberBytes});
    memory.add(followed.codes, "next input of a token, 8 bits", MemoryUse::Compute, {codeWords, numberBytes});
    memory.add(counters, "finished workgroups", MemoryUse::Compute, {counterAreas, Arena::roomFor(widths.units * numberBytes)});
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
    rows(streams, "streams", widths.streams);
    rows(normedStreams, "streams after their norms", widths.normedStreams);
    rows(streamRank, "mixture of streams", widths.streamRank);
    rows(injection, "injection into streams", widths.injection);
    rows(ngrams, "embeddings of n-grams", widths.ngrams);
    rows(indexQueries, "queries of the indexer", widths.indexQueries);
    rows(indexRotated, "rotated queries of the indexer", widths.indexQueries);
    rows(indexKeys, "keys of the indexer", widths.indexKeys);
    rows(indexMeans, "keys of blocks", widths.indexKeys);
    rows(indexWeights, "weights of the indexer", widths.indexHeads);
    rows(selected, "selected tokens", widths.indexHeads > 0 ? selectedStride : 0);
    rows(selectedCounts, "numbers of selected tokens", widths.indexHeads > 0 ? 1 : 0);
    planTemperatures(graph, first);
    planBlocks(graph, first);
    angles.resize(std::max<std::size_t>(graph.ropes.size(), 1));
    for (std::size_t r = 0; r < angles.size(); ++r)
        memory.add(angles[r], "angles", MemoryUse::Compute,
                   {r < graph.ropes.size() ? angleNumbers(graph.ropes[r]) : 1, numberBytes});
}

void DeviceBuffers::planTemperatures(const infer::Graph& graph, std::size_t first) {
    const auto add = [this](const infer::Temperature& temperature) {
        const bool isKnown = std::ranges::find(temperatures, temperature, &Factors::temperature) != temperatures.end();
        if (temperature.scale != 0 && !isKnown) temperatures.push_back({temperature, {}});
    };
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            if (const auto* const qkv = std::get_if<infer::QkvOp>(&op)) add(qkv->temperature);
            if (const auto* const latent = std::get_if<infer::LatentQkvOp>(&op)) add(latent->temperature);
        }
    for (Factors& each : temperatures)
        memory.add(each.factors, "factors of queries", MemoryUse::Compute, {deviceBatch, numberBytes});
}

void DeviceBuffers::planBlocks(const infer::Graph& graph, std::size_t first) {
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            const auto* const index = std::get_if<infer::IndexOp>(&op);
            if (index && index->block > 1 && !blocksOf(*index)) blocks.push_back({index->block, index->rope, {}, {}});
        }
    for (Blocks& each : blocks) {
        const std::uint64_t numbers = each.rope ? angleNumbers(graph.ropes[*each.rope]) : 1;
        memory.add(each.batch, "blocks of a batch", MemoryUse::Compute, {WB_BATCH_WORDS, numberBytes});
        memory.add(each.angles, "angles of blocks", MemoryUse::Compute, {numbers, numberBytes});
    }
}

const DeviceBuffers::Blocks* DeviceBuffers::blocksOf(const infer::IndexOp& op) const {
    const auto found =
        std::ranges::find_if(blocks, [&](const Blocks& each) { return each.tokens == op.block && each.rope == op.rope; });
    return found == blocks.end() ? nullptr : &*found;
}

bool canSplitAt(const infer::Graph& graph, std::size_t first) {
    std::set<std::uint32_t> stored;
    bool selects = false;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            if (const auto cache = storedCache(op)) stored.insert(*cache);
            if (std::holds_alternative<infer::IndexOp>(op)) selects = true;
            const auto* const attend = std::get_if<infer::AttendOp>(&op);
            if (attend && (!stored.contains(attend->cache) || (attend->selects && !selects))) return false;
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

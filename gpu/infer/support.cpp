// SPDX-License-Identifier: MIT
#include "gpu/infer/support.h"

#include "core/arch/family.h"
#include "core/infer/rope.h"
#include "core/io/byte_source.h"
#include "gpu/infer/device_weights.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

namespace wb::gpu {
namespace {

bool hasOddLayer(const infer::Graph& graph) {
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        const arch::LayerSpec& layer = graph.spec.layers[i];
        const auto fits = [](std::uint64_t length) { return length % 2 == 0 && length <= WB_MAX_HEAD_LENGTH; };
        if (!fits(layer.keyLength) || !fits(layer.valueLength) || !layer.ownsCache(i)) return true;
    }
    return false;
}

// A part of the model that no shader computes; null: none.
const char* missingPart(const infer::Graph& graph) {
    const arch::ModelSpec& spec = graph.spec;
    if (spec.hasExperts()) return "experts";
    if (spec.norm != arch::NormKind::Rms || spec.normPlacement != arch::NormPlacement::Before) return "norms of its kind";
    if (!spec.gatedFeedForward || spec.activation != arch::Activation::Silu) return "a feed-forward part of its kind";
    if (spec.parallelResidual) return "attention and feed-forward side by side";
    if (spec.attentionSoftcap > 0 || spec.finalSoftcap > 0) return "soft caps";
    if (spec.temperatureScale > 0) return "an attention temperature";
    if (spec.logitScale != 1) return "a scale of the logits";
    if (graph.longFactors) return "LongRoPE";
    if (graph.positions || graph.layerInputs.embedding) return "embeddings of its kind";
    if (std::ranges::any_of(graph.layers, [](const auto& layer) { return layer.qNorm || layer.kNorm || layer.sinks; }))
        return "attention of its kind";
    return hasOddLayer(graph) ? "heads of their size" : nullptr;
}

std::vector<infer::Slice> matricesOf(const infer::LayerTensors& layer) {
    const auto whole = [](const TensorInfo* tensor) { return infer::Slice{tensor, 0, tensor->shape.rows()}; };
    return {layer.q, layer.k, layer.v, whole(layer.out), layer.gate, layer.up, whole(layer.down)};
}

infer::Slice outputOf(const infer::Graph& graph) { return {graph.output, 0, graph.vocabulary}; }

std::uint64_t headBytes(const infer::Graph& graph, const infer::EngineOptions& options) {
    std::uint64_t most = 0;
    for (const arch::LayerSpec& layer : graph.spec.layers)
        most = std::max({most, cachedBytes(options.keys, layer.keyLength), cachedBytes(options.values, layer.valueLength),
                         layer.heads / std::max<std::uint64_t>(layer.kvHeads, 1) * sizeof(float)}); // and their scores
    return most * cachedPositions(options.context);
}

} // namespace

Result<void> checkDeviceRuns(const infer::Graph& graph, const infer::EngineOptions& options, const DeviceInfo& device) {
    const std::string name = io::baseName(graph.model->path);
    const std::string& architecture = graph.spec.architecture;
    if (!graph.spec.family || graph.spec.family->runs != arch::Runs::EveryDevice)
        return fail(ErrorCode::Unsupported, Reason("infer.device_family"), About{name},
                    WB_TEXT("{} runs on the CPU: graphics devices do not run the architecture {} yet."), name, architecture);
    if (const char* const part = missingPart(graph))
        return fail(ErrorCode::Unsupported, Reason("infer.device_part"), About{name},
                    WB_TEXT("{} runs on the CPU: it has {}, which graphics devices do not compute yet."), name, part);
    const std::vector<Dtype> types = matrixTypes(graph);
    if (const auto foreign = std::ranges::find(types, nullptr, findWeightLayout); foreign != types.end())
        return fail(ErrorCode::Unsupported, Reason("infer.device_type"), About{name},
                    WB_TEXT("{} runs on the CPU: it has weights of the type {}, which graphics devices do not multiply yet."), name,
                    wb::name(*foreign));
    if (headBytes(graph, options) > device.viewBytes)
        return fail(ErrorCode::Unsupported, Reason("infer.device_context"), About{name},
                    WB_TEXT("{} runs on the CPU: a context of {} tokens is too long for the graphics device {}."), name,
                    options.context, device.name);
    return {};
}

std::vector<Dtype> matrixTypes(const infer::Graph& graph) {
    std::vector<Dtype> types = {graph.output->dtype};
    for (const infer::LayerTensors& layer : graph.layers)
        for (const infer::Slice& matrix : matricesOf(layer))
            if (std::ranges::find(types, matrix.tensor->dtype) == types.end()) types.push_back(matrix.tensor->dtype);
    return types;
}

std::uint64_t DeviceNeeds::fitting(std::uint64_t bytes) const {
    std::uint64_t need = rest + output, count = 0;
    if (need > bytes) return 0;
    ++count;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer, ++count) {
        need += *layer;
        if (need > bytes) return count;
    }
    return count;
}

std::uint64_t scoreBytes(const infer::Graph& graph, std::size_t context) {
    constexpr std::uint64_t moderate = 64u << 20, tokensAtOnce = 8;
    std::uint64_t heads = 1;
    for (const arch::LayerSpec& layer : graph.spec.layers) heads = std::max(heads, layer.heads);
    const std::uint64_t ofToken = heads * cachedPositions(context) * sizeof(float);
    return std::clamp<std::uint64_t>(moderate / ofToken, 1, tokensAtOnce) * ofToken;
}

DeviceNeeds deviceNeeds(const infer::Graph& graph, const infer::EngineOptions& options) {
    DeviceNeeds needs;
    std::uint64_t widest = graph.spec.width, rows = 0;
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        const arch::LayerSpec& layer = graph.spec.layers[i];
        std::uint64_t bytes = layer.kvHeads * cachedPositions(options.context) *
                              (cachedBytes(options.keys, layer.keyLength) + cachedBytes(options.values, layer.valueLength));
        for (const infer::Slice& matrix : matricesOf(graph.layers[i])) bytes += deviceBytes(matrix);
        needs.layers.push_back(bytes + 2 * Arena::roomFor(graph.spec.width * 4));
        widest = std::max({widest, layer.feedForward, layer.heads * layer.valueLength});
        rows = std::max(rows, layer.feedForward + 2 * layer.heads * layer.keyLength + layer.heads * layer.valueLength +
                                  layer.kvHeads * (layer.keyLength + layer.valueLength));
    }
    needs.output = deviceBytes(outputOf(graph));
    needs.rest = deviceBatch * 4 * (graph.spec.width + rows + 3 * widest) + 4 * graph.vocabulary +
                 scoreBytes(graph, options.context) + 2 * Arena::chunkBytes;
    return needs;
}

std::uint64_t RowWidths::widest(std::uint64_t width) const { return std::max({width, attended, hidden}); }

RowWidths rowWidths(const arch::ModelSpec& spec) {
    RowWidths widths;
    for (const arch::LayerSpec& layer : spec.layers) {
        widths.queries = std::max(widths.queries, layer.heads * layer.keyLength);
        widths.keys = std::max(widths.keys, layer.kvHeads * layer.keyLength);
        widths.values = std::max(widths.values, layer.kvHeads * layer.valueLength);
        widths.attended = std::max(widths.attended, layer.heads * layer.valueLength);
        widths.hidden = std::max(widths.hidden, layer.feedForward);
    }
    return widths;
}

namespace {

std::uint64_t roomForNumbers(std::uint64_t numbers) { return Arena::roomFor(numbers * sizeof(float)); }

// The order is that of DeviceRunner::claimRows() and claimHost().
std::uint64_t plannedRows(const infer::Graph& graph) {
    const RowWidths widths = rowWidths(graph.spec);
    const std::uint64_t widest = widths.widest(graph.spec.width);
    std::uint64_t bytes = roomForNumbers(WB_BATCH_WORDS);
    for (const std::uint64_t columns :
         {graph.spec.width, widths.queries, widths.queries, widths.keys, widths.values, widths.attended, widths.hidden, widest})
        bytes += roomForNumbers(deviceBatch * columns);
    bytes += roomForNumbers(deviceBatch * (widest / WB_RECORD_COLUMNS + 1) * WB_RECORD_WORDS);
    std::vector<infer::RopeTable> tables;
    for (const arch::LayerSpec& layer : graph.spec.layers) {
        infer::RopeTable table = infer::ropeTable(graph.spec, layer, {});
        if (std::ranges::find(tables, table) != tables.end()) continue;
        bytes += roomForNumbers(deviceBatch * 2 * std::max<std::size_t>(table.frequencies.size(), 1));
        tables.push_back(std::move(table));
    }
    return bytes;
}

} // namespace

infer::EngineMemory planDeviceMemory(const infer::Graph& graph, const infer::EngineOptions& options, std::uint64_t gpuLayers,
                                     const DeviceInfo& device) {
    infer::EngineMemory memory;
    if (gpuLayers == 0) return memory;
    const std::uint64_t moved = std::min<std::uint64_t>(gpuLayers - 1, graph.layers.size());
    const std::uint64_t norm = roomForNumbers(graph.spec.width);
    for (std::size_t i = graph.layers.size() - static_cast<std::size_t>(moved); i < graph.layers.size(); ++i) {
        const arch::LayerSpec& layer = graph.spec.layers[i];
        const std::uint64_t positions = cachedPositions(options.context) * layer.kvHeads;
        memory.keys += Arena::roomFor(positions * cachedBytes(options.keys, layer.keyLength));
        memory.values += Arena::roomFor(positions * cachedBytes(options.values, layer.valueLength));
        memory.weights += 2 * norm;
        for (const infer::Slice& matrix : matricesOf(graph.layers[i])) memory.weights += deviceBytes(matrix);
    }
    memory.weights += norm + deviceBytes(outputOf(graph));
    memory.compute = plannedRows(graph) + Arena::roomFor(std::min(scoreBytes(graph, options.context), device.viewBytes));
    return memory;
}

} // namespace wb::gpu
